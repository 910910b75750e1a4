import java.util.Arrays;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/** Sorts values[first, last). Numbers are compared as unsigned ones, as in the other contenders. */
final class Quicksort extends RecursiveAction {
    private static final int INSERTION_SIZE = 24;
    private final long[] values;
    private final int first;
    private final int last;

    private Quicksort(long[] values, int first, int last) {
        this.values = values;
        this.first = first;
        this.last = last;
    }

    private static boolean less(long a, long b) {
        return a + Long.MIN_VALUE < b + Long.MIN_VALUE;
    }

    private void insertionSort() {
        for (int i = first + 1; i < last; ++i) {
            long value = values[i];
            int gap = i;
            for (; gap > first && less(value, values[gap - 1]); --gap) values[gap] = values[gap - 1];
            values[gap] = value;
        }
    }

    private long medianOfThree() {
        long a = values[first];
        long b = values[first + (last - first) / 2];
        long c = values[last - 1];
        long low = less(b, a) ? b : a;
        long high = less(b, a) ? a : b;
        return less(c, low) ? low : less(high, c) ? high : c;
    }

    /** As in problem.hpp: Hoare's, around the median of three. */
    private int partition() {
        long pivot = medianOfThree();
        for (int low = first, high = last - 1;; ++low, --high) {
            while (less(values[low], pivot)) ++low;
            while (less(pivot, values[high])) --high;
            if (low >= high) return Math.max(low, first + 1);
            long swapped = values[low];
            values[low] = values[high];
            values[high] = swapped;
        }
    }

    @Override
    protected void compute() {
        if (last - first <= INSERTION_SIZE) {
            insertionSort();
            return;
        }
        int middle = partition();
        invokeAll(new Quicksort(values, first, middle), new Quicksort(values, middle, last));
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("quicksort", 10_000_000, words);
        long[] input = new long[(int) me.size];
        SplitMix64 random = new SplitMix64(1);
        Arrays.setAll(input, i -> random.next());
        long[] expected = input.clone();
        for (int i = 0; i < expected.length; ++i) expected[i] ^= Long.MIN_VALUE;
        Arrays.sort(expected);
        for (int i = 0; i < expected.length; ++i) expected[i] ^= Long.MIN_VALUE;
        me.measure(input::clone, values -> (ForkJoinTask<Void>) new Quicksort(values, 0, values.length),
            (values, none) -> Arrays.equals(values, expected));
    }
}
