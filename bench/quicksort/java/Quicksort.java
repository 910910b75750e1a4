import java.util.concurrent.RecursiveAction;

/** Sorts values[first, last). */
final class Quicksort extends RecursiveAction {
    private final long[] values;
    private final int first;
    private final int last;

    private Quicksort(long[] values, int first, int last) {
        this.values = values;
        this.first = first;
        this.last = last;
    }

    private long medianOfThree() {
        long a = values[first];
        long b = values[first + (last - first) / 2];
        long c = values[last - 1];
        long low = UnsignedSorting.less(b, a) ? b : a;
        long high = UnsignedSorting.less(b, a) ? a : b;
        return UnsignedSorting.less(c, low) ? low : UnsignedSorting.less(high, c) ? high : c;
    }

    /** As in problem.hpp: Hoare's, around the median of three. */
    private int partition() {
        long pivot = medianOfThree();
        for (int low = first, high = last - 1;; ++low, --high) {
            while (UnsignedSorting.less(values[low], pivot)) ++low;
            while (UnsignedSorting.less(pivot, values[high])) --high;
            if (low >= high) return Math.max(low, first + 1);
            long swapped = values[low];
            values[low] = values[high];
            values[high] = swapped;
        }
    }

    @Override
    protected void compute() {
        if (last - first <= UnsignedSorting.INSERTION_SIZE) {
            UnsignedSorting.insertionSort(values, first, last);
            return;
        }
        int middle = partition();
        invokeAll(new Quicksort(values, first, middle), new Quicksort(values, middle, last));
    }

    public static void main(String[] words) throws Exception {
        UnsignedSorting.measure(new Contender("quicksort", 10_000_000, words), values -> new Quicksort(values, 0, values.length).invoke());
    }
}
