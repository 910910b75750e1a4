import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/** What problem.hpp is to the C++ contenders. Numbers are compared as unsigned ones, as in those. */
final class UnsignedSorting {
    /** Below this an insertion sort wins over any recursion. */
    static final int INSERTION_SIZE = 24;

    private UnsignedSorting() {}

    static boolean less(long a, long b) {
        return a + Long.MIN_VALUE < b + Long.MIN_VALUE;
    }

    /** Sorts values[first, last). */
    static void insertionSort(long[] values, int first, int last) {
        for (int i = first + 1; i < last; ++i) {
            long value = values[i];
            int gap = i;
            for (; gap > first && less(value, values[gap - 1]); --gap) values[gap] = values[gap - 1];
            values[gap] = value;
        }
    }

    /** Times sorting of random numbers, the same in every repeat. */
    static void measure(Contender me, Consumer<long[]> sort) throws IOException {
        long[] input = new long[(int) me.size];
        SplitMix64 random = new SplitMix64(1);
        Arrays.setAll(input, i -> random.next());
        long[] expected = new long[input.length];
        Arrays.setAll(expected, i -> input[i] ^ Long.MIN_VALUE);
        Arrays.sort(expected);
        Arrays.setAll(expected, i -> expected[i] ^ Long.MIN_VALUE);
        me.measureInPlace(input::clone, sort, values -> Arrays.equals(values, expected));
    }
}
