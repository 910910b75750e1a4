final class Mergesort {
    /** Below this a plain merge is quicker than two searches and a fork. */
    private static final int PLAIN_MERGE_SIZE = 4096;

    /** A run of an array: [first, last). */
    private record Run(long[] values, int first, int last) {
        int size() {
            return last - first;
        }

        int middle() {
            return first + size() / 2;
        }

        Run before(int place) {
            return new Run(values, first, place);
        }

        Run from(int place) {
            return new Run(values, place, last);
        }

        /** Where the first value is that is not less than `value`, or that is greater where `equalsToo`. */
        int bound(long value, boolean equalsToo) {
            int low = first;
            for (int high = last; low < high;) {
                int at = low + high >>> 1;
                boolean isBefore = equalsToo ? !UnsignedSorting.less(value, values[at]) : UnsignedSorting.less(values[at], value);
                if (isBefore) low = at + 1;
                else high = at;
            }
            return low;
        }
    }

    private static void mergePlainly(Run left, Run right, long[] out, int place) {
        int l = left.first;
        int r = right.first;
        long[] from = left.values;
        while (l < left.last && r < right.last) out[place++] = UnsignedSorting.less(from[r], from[l]) ? from[r++] : from[l++];
        System.arraycopy(from, l, out, place, left.last - l);
        System.arraycopy(from, r, out, place + left.last - l, right.last - r);
    }

    /** Merges two runs of one array into another; as in problem.hpp, a value of the longer run splits both. */
    private static void merge(Run left, Run right, long[] out, int place) {
        if (left.size() + right.size() <= PLAIN_MERGE_SIZE) {
            mergePlainly(left, right, out, place);
            return;
        }
        boolean byLeft = left.size() >= right.size();
        int l = byLeft ? left.middle() : left.bound(right.values[right.middle()], true);
        int r = byLeft ? right.bound(left.values[left.middle()], false) : right.middle();
        int second = place + (l - left.first) + (r - right.first);
        Half.both(() -> merge(left.before(l), right.before(r), out, place), () -> merge(left.from(l), right.from(r), out, second));
    }

    /** Sorts target[first, last); source must hold the same values and is used up. */
    private static void sortInto(long[] target, long[] source, int first, int last) {
        if (last - first <= UnsignedSorting.INSERTION_SIZE) {
            UnsignedSorting.insertionSort(target, first, last);
            return;
        }
        int middle = first + (last - first) / 2;
        Half.both(() -> sortInto(source, target, first, middle), () -> sortInto(source, target, middle, last));
        merge(new Run(source, first, middle), new Run(source, middle, last), target, first);
    }

    public static void main(String[] words) throws Exception {
        UnsignedSorting.measure(new Contender("mergesort", 10_000_000, words), values -> sortInto(values, values.clone(), 0, values.length));
    }
}
