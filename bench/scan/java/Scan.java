import java.util.Arrays;

/** Prefix sums by `Arrays.parallelPrefix`, which works in place: so the numbers are copied first, inside the clock. */
final class Scan {
    /** As in problem.hpp: numbers below 1000, half of them odd. */
    private static long[] input(int count) {
        SplitMix64 random = new SplitMix64(1);
        long[] numbers = new long[count];
        Arrays.setAll(numbers, i -> {
            long drawn = random.next();
            return Long.remainderUnsigned(drawn, 500) * 2 + ((drawn >>> 32) % 100 < 50 ? 1 : 0);
        });
        return numbers;
    }

    private static long[] plainSums(long[] in) {
        long[] sums = in.clone();
        for (int i = 1; i < sums.length; ++i) sums[i] += sums[i - 1];
        return sums;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("scan", 10_000_000, "ints", words);
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        me.require(me.variant.equals("ints") || me.variant.equals("doubles"), "--case is ints or doubles");
        long[] in = input((int) me.size);
        long[] expected = plainSums(in);
        if (me.variant.equals("ints")) {
            long[] out = new long[in.length];
            me.measureInPlace(() -> out, sums -> {
                System.arraycopy(in, 0, sums, 0, in.length);
                Arrays.parallelPrefix(sums, Long::sum);
            }, sums -> Arrays.equals(sums, expected));
        } else {
            double[] numbers = Arrays.stream(in).asDoubleStream().toArray();
            double[] out = new double[in.length];
            double[] exact = Arrays.stream(expected).asDoubleStream().toArray();
            me.measureInPlace(() -> out, sums -> {
                System.arraycopy(numbers, 0, sums, 0, numbers.length);
                Arrays.parallelPrefix(sums, Double::sum);
            }, sums -> Arrays.equals(sums, exact));
        }
    }
}
