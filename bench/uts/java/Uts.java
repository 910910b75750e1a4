import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.RecursiveTask;

/** Counts a subtree. */
final class Uts extends RecursiveTask<Uts.Tally> {
    enum Kind { BINOMIAL, GEOMETRIC, HYBRID }

    enum Shape { LINEAR, CYCLIC, FIXED }

    /** As in problem.hpp. */
    record Tree(Kind kind, Shape shape, double rootBranching, int depthLimit, double nonleafChance, int nonleafChildren, int seed) {}

    record Tally(long nodes, long leaves, int depth) {
        Tally plus(Tally other) {
            return new Tally(nodes + other.nodes, leaves + other.leaves, Math.max(depth, other.depth));
        }
    }

    record Sample(Tree tree, Tally published) {}

    /** The sample trees by name, with their published counts. */
    private static final Map<String, Sample> SAMPLES = Map.of(
        "T1", new Sample(new Tree(Kind.GEOMETRIC, Shape.FIXED, 4, 10, 0, 0, 19), new Tally(4130071, 3305118, 10)),
        "T2", new Sample(new Tree(Kind.GEOMETRIC, Shape.CYCLIC, 6, 16, 0, 0, 502), new Tally(4117769, 2342762, 81)),
        "T3", new Sample(new Tree(Kind.BINOMIAL, Shape.LINEAR, 2000, 0, 0.124875, 8, 42), new Tally(4112897, 3599034, 1572)),
        "T4", new Sample(new Tree(Kind.HYBRID, Shape.LINEAR, 6, 16, 0.234375, 4, 1), new Tally(4132453, 3108986, 134)),
        "T5", new Sample(new Tree(Kind.GEOMETRIC, Shape.LINEAR, 4, 20, 0, 0, 34), new Tally(4147582, 2181318, 20)));

    private static final int HASH_SIZE = 20;
    private static final ThreadLocal<MessageDigest> SHA1 = ThreadLocal.withInitial(() -> {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    });

    private final Tree tree;
    private final byte[] state;
    private final int depth;

    private Uts(Tree tree, byte[] state, int depth) {
        this.tree = tree;
        this.state = state;
        this.depth = depth;
    }

    /** Hashes what `before` begins with and a number after it. */
    private static byte[] hash(byte[] before, int length, int number) {
        byte[] message = Arrays.copyOf(before, length + 4);
        for (int i = 0; i < 4; ++i) message[length + i] = (byte) (number >>> 24 - 8 * i);
        return SHA1.get().digest(message);
    }

    private static Uts root(Tree tree) {
        return new Uts(tree, hash(new byte[16], 16, tree.seed), 0);
    }

    private Uts child(int index) {
        return new Uts(tree, hash(state, HASH_SIZE, index), depth + 1);
    }

    private double chance() {
        int word = 0;
        for (int i = HASH_SIZE - 4; i < HASH_SIZE; ++i) word = word << 8 | state[i] & 0xff;
        return (word & 0x7fffffff) / 2147483648.0;
    }

    private double meanBranching() {
        if (depth == 0) return tree.rootBranching;
        double limit = tree.depthLimit;
        return switch (tree.shape) {
            case CYCLIC -> depth > 5 * tree.depthLimit ? 0 : Math.pow(tree.rootBranching, Math.sin(2 * Math.PI * depth / limit));
            case FIXED -> depth < tree.depthLimit ? tree.rootBranching : 0;
            case LINEAR -> tree.rootBranching * (1 - depth / limit);
        };
    }

    private int childCount() {
        boolean binomial = tree.kind == Kind.BINOMIAL || tree.kind == Kind.HYBRID && depth >= 0.5 * tree.depthLimit;
        if (!binomial) {
            double stopChance = 1 / (1 + meanBranching());
            return (int) Math.min(100, Math.floor(Math.log(1 - chance()) / Math.log(1 - stopChance)));
        }
        if (depth == 0) return (int) tree.rootBranching;
        return chance() < tree.nonleafChance ? tree.nonleafChildren : 0;
    }

    /** Hashes where it is called from: a task makes its children when it runs, and they are tasks but for the last. */
    @Override
    protected Tally compute() {
        int children = childCount();
        if (children == 0) return new Tally(1, 1, depth);
        Child[] below = new Child[children - 1];
        for (int i = 0; i < below.length; ++i) {
            below[i] = new Child(this, i);
            below[i].fork();
        }
        Tally sum = new Tally(1, 0, depth).plus(child(children - 1).compute());
        for (int i = below.length - 1; i >= 0; --i) sum = sum.plus(below[i].join());
        return sum;
    }

    /** A child that is not hashed yet. */
    private static final class Child extends RecursiveTask<Tally> {
        private final Uts parent;
        private final int index;

        private Child(Uts parent, int index) {
            this.parent = parent;
            this.index = index;
        }

        @Override
        protected Tally compute() {
            return parent.child(index).compute();
        }
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("uts", 0, "T1", words);
        Sample sample = SAMPLES.get(me.variant);
        me.require(sample != null, "--case is T1, T2, T3, T4 or T5");
        me.measure(() -> sample.tree, Uts::root, (tree, counted) -> counted.equals(sample.published));
    }
}
