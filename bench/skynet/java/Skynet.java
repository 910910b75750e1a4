import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

final class Skynet extends RecursiveTask<Long> {
    private static final int CHILDREN = 10;
    private final long first;
    private final long leaves;

    private Skynet(long first, long leaves) {
        this.first = first;
        this.leaves = leaves;
    }

    @Override
    protected Long compute() {
        if (leaves == 1) return first;
        Skynet[] below = new Skynet[CHILDREN];
        long share = leaves / CHILDREN;
        for (int k = 0; k < CHILDREN; ++k) below[k] = new Skynet(first + k * share, share);
        ForkJoinTask.invokeAll(below);
        long sum = 0;
        for (Skynet each : below) sum += each.join();
        return sum;
    }

    private static boolean isFullTree(long leaves) {
        while (leaves != 0 && leaves % CHILDREN == 0) leaves /= CHILDREN;
        return leaves == 1;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("skynet", 1_000_000, words);
        me.require(isFullTree(me.size), "--size counts the leaves of a full tree: it must be a power of ten");
        me.measure(() -> new Skynet(0, me.size), me.size * (me.size - 1) / 2);
    }
}
