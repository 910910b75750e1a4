import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** The cases of problem.hpp by `Arrays.parallelSort`; numbers without a fraction are shifted so that their order among signed ones is the same. */
final class Sort {
    static long[] random(int count, LongUnaryOperator make) {
        SplitMix64 random = new SplitMix64(1);
        long[] values = new long[count];
        Arrays.setAll(values, i -> make.applyAsLong(random.next()));
        return values;
    }

    private static long[] nearlySorted(int count) {
        long[] values = new long[count];
        Arrays.setAll(values, i -> i);
        SplitMix64 random = new SplitMix64(2);
        for (int i = 0; i < count / 100; ++i) {
            int one = (int) Long.remainderUnsigned(random.next(), count);
            int other = (int) Long.remainderUnsigned(random.next(), count);
            long swapped = values[one];
            values[one] = values[other];
            values[other] = swapped;
        }
        return values;
    }

    static void measure(Contender me, long[] input) throws Exception {
        long[] expected = input.clone();
        Arrays.sort(expected);
        me.measureInPlace(input::clone, Arrays::parallelSort, values -> Arrays.equals(values, expected));
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("sort", 10_000_000, "random", words);
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        int count = (int) me.size;
        switch (me.variant) {
            case "random" -> measure(me, random(count, number -> number ^ Long.MIN_VALUE));
            case "few" -> measure(me, random(count, number -> number & 15));
            case "nearly" -> measure(me, nearlySorted(count));
            case "double" -> {
                double[] input = Arrays.stream(random(count, number -> number >>> 11)).asDoubleStream().toArray();
                double[] expected = input.clone();
                Arrays.sort(expected);
                me.measureInPlace(input::clone, Arrays::parallelSort, values -> Arrays.equals(values, expected));
            }
            case "string" -> {
                String[] input = Arrays.stream(random(count, number -> number)).mapToObj(Long::toUnsignedString).toArray(String[]::new);
                String[] expected = input.clone();
                Arrays.sort(expected);
                me.measureInPlace(input::clone, Arrays::parallelSort, values -> Arrays.equals(values, expected));
            }
            default -> me.require(false, "--case is one of random, double, string, few and nearly");
        }
    }
}
