import java.util.concurrent.RecursiveTask;

final class Fib extends RecursiveTask<Long> {
    private final int n;

    private Fib(int n) {
        this.n = n;
    }

    @Override
    protected Long compute() {
        if (n < 2) return (long) n;
        Fib left = new Fib(n - 1);
        left.fork();
        long right = new Fib(n - 2).compute();
        return left.join() + right;
    }

    private static long byAdding(long n) {
        long current = 0;
        for (long next = 1; n > 0; --n) {
            long sum = current + next;
            current = next;
            next = sum;
        }
        return current;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("fib", 39, words);
        me.measure(() -> new Fib((int) me.size), byAdding(me.size));
    }
}
