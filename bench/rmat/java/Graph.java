import java.util.Arrays;

/** What graph.hpp is to the C++ contenders: the same graph of the same numbers. */
final class Graph {
    private static final int EDGES_PER_VERTEX = 16;

    /** Where a vertex's neighbours begin; one more for the end. */
    final int[] first;
    final int[] neighbours;

    /** An edge leads from[i] to to[i]; what repeats or leads nowhere else is dropped. */
    Graph(int vertices, int[] from, int[] to) {
        int[] begins = new int[vertices + 1];
        for (int each : from) ++begins[each + 1];
        for (int v = 0; v < vertices; ++v) begins[v + 1] += begins[v];
        int[] all = new int[from.length];
        int[] next = begins.clone();
        for (int i = 0; i < from.length; ++i) all[next[from[i]]++] = to[i];
        first = new int[vertices + 1];
        int kept = 0;
        for (int v = 0; v < vertices; ++v) {
            first[v] = kept;
            Arrays.sort(all, begins[v], begins[v + 1]);
            for (int i = begins[v]; i < begins[v + 1]; ++i) {
                int each = all[i];
                if (each != v && (kept == first[v] || all[kept - 1] != each)) all[kept++] = each;
            }
        }
        first[vertices] = kept;
        neighbours = Arrays.copyOf(all, kept);
    }

    int size() {
        return first.length - 1;
    }

    int degree(int v) {
        return first[v + 1] - first[v];
    }

    private static int scrambled(int v, int scale) {
        long mask = (1L << scale) - 1;
        long x = (v * 0x9e3779b1L + 0x7ed55d16L) & mask;
        x ^= x >>> (scale / 2 + 1);
        return (int) (x * 0x85ebca6bL & mask);
    }

    /** Each edge in both directions; 2^scale vertices. */
    static Graph make(int scale) {
        SplitMix64 random = new SplitMix64(1);
        int count = EDGES_PER_VERTEX << scale;
        int[] from = new int[2 * count];
        int[] to = new int[2 * count];
        for (int i = 0; i < 2 * count; i += 2) {
            int one = 0;
            int other = 0;
            for (int bit = 0; bit < scale; ++bit) {
                long quarter = Long.remainderUnsigned(random.next(), 100);
                one = one << 1 | (quarter >= 76 ? 1 : 0);
                other = other << 1 | (quarter >= 57 && quarter < 76 || quarter >= 95 ? 1 : 0);
            }
            from[i] = to[i + 1] = scrambled(one, scale);
            to[i] = from[i + 1] = scrambled(other, scale);
        }
        return new Graph(1 << scale, from, to);
    }
}
