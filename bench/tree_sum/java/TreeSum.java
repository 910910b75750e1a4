import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

final class TreeSum extends RecursiveTask<Long> {
    private static final class Node {
        final long value;
        Node left;
        Node right;

        Node(long value) {
            this.value = value;
        }
    }

    /** Seconds of one sum, and whether it was right. */
    private record Sample(double seconds, boolean correct) {}

    private final Node root;

    private TreeSum(Node root) {
        this.root = root;
    }

    @Override
    protected Long compute() {
        return sum(root);
    }

    private static long sum(Node root) {
        if (root.left == null && root.right == null) return root.value;
        if (root.left == null) return root.value + sum(root.right);
        if (root.right == null) return root.value + sum(root.left);
        TreeSum left = new TreeSum(root.left);
        left.fork();
        long right = sum(root.right);
        return root.value + left.join() + right;
    }

    /** Makes a tree as balanced as can be of the nodes [first, first + count), in the order of the walk, and returns its root. */
    private static Node link(Node[] nodes, int first, int count) {
        if (count == 0) return null;
        int leftCount = count / 2;
        Node root = nodes[first];
        root.left = link(nodes, first + 1, leftCount);
        root.right = link(nodes, first + 1 + leftCount, count - 1 - leftCount);
        return root;
    }

    /** Hangs a leaf where a binary search tree has it; numbers are compared as unsigned ones. */
    private static void insert(Node root, Node leaf) {
        for (Node at = root;;) {
            boolean toLeft = Long.compareUnsigned(leaf.value, at.value) < 0;
            Node below = toLeft ? at.left : at.right;
            if (below == null) {
                if (toLeft) at.left = leaf;
                else at.right = leaf;
                return;
            }
            at = below;
        }
    }

    /** As in problem.hpp: the median of three averages, or where spaced of a hundred sums after a millisecond of sleep each. */
    private static Sample sample(Node root, boolean spaced, long calls, long expected) throws InterruptedException {
        double[] seconds = new double[spaced ? 100 : 3];
        boolean correct = true;
        for (int clock = 0; clock < seconds.length; ++clock) {
            if (spaced) Thread.sleep(1);
            long start = System.nanoTime();
            for (long call = 0; call < calls; ++call) correct &= sum(root) == expected;
            seconds[clock] = (System.nanoTime() - start) * 1e-9 / calls;
        }
        Arrays.sort(seconds);
        return new Sample(seconds[seconds.length / 2], correct);
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("tree_sum", 1000, "balanced", words);
        boolean spaced = me.variant.endsWith("-spaced");
        String shape = spaced ? me.variant.substring(0, me.variant.length() - "-spaced".length()) : me.variant;
        me.require(shape.equals("balanced") || shape.equals("grown"), "--case must be balanced or grown, or one of them with -spaced appended");
        me.require(me.size > 0 && me.size <= Integer.MAX_VALUE, "--size counts the nodes: at least 1, and it must fit 31 bits");
        Node[] nodes = new Node[(int) me.size];
        SplitMix64 random = new SplitMix64(1);
        Arrays.setAll(nodes, i -> new Node(random.next()));
        long expected = Arrays.stream(nodes).mapToLong(node -> node.value).sum();
        if (shape.equals("balanced")) link(nodes, 0, nodes.length);
        else Arrays.stream(nodes).skip(1).forEach(node -> insert(nodes[0], node));
        long calls = spaced ? 1 : 1 + 2_000_000 / me.size;
        ForkJoinPool pool = new ForkJoinPool(me.workers);
        for (int i = -Contender.WARM_UPS; i < me.repeat; ++i) {
            Sample found = pool.invoke(ForkJoinTask.adapt(() -> sample(nodes[0], spaced, calls, expected)));
            if (i >= 0) me.report(found.seconds, found.correct);
        }
        me.exit();
    }
}
