import java.util.concurrent.RecursiveAction;

/** A task that runs a closure: for recursions into halves that return nothing. */
final class Half extends RecursiveAction {
    private final Runnable work;

    Half(Runnable work) {
        this.work = work;
    }

    @Override
    protected void compute() {
        work.run();
    }

    /** Runs the first here and the second as a task, and returns when both are done. */
    static void both(Runnable first, Runnable second) {
        Half other = new Half(second);
        other.fork();
        first.run();
        other.join();
    }
}
