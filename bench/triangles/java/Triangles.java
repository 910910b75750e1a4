import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

final class Triangles {
    /** As in problem.hpp: each edge once, to the end with more neighbours, and vertices numbered in that order. */
    private static Graph oriented(Graph g) {
        int[] byDegree = IntStream.range(0, g.size()).boxed().sorted(Comparator.comparingInt(g::degree)).mapToInt(Integer::intValue).toArray();
        int[] place = new int[g.size()];
        for (int i = 0; i < place.length; ++i) place[byDegree[i]] = i;
        int[] from = new int[g.neighbours.length];
        int[] to = new int[g.neighbours.length];
        int count = 0;
        for (int v = 0; v < g.size(); ++v) {
            for (int i = g.first[v]; i < g.first[v + 1]; ++i) {
                if (place[v] >= place[g.neighbours[i]]) continue;
                from[count] = place[v];
                to[count++] = place[g.neighbours[i]];
            }
        }
        return new Graph(g.size(), Arrays.copyOf(from, count), Arrays.copyOf(to, count));
    }

    /** How many vertices are neighbours of both. */
    private static long common(Graph g, int a, int b) {
        long count = 0;
        int i = g.first[a];
        int j = g.first[b];
        while (i < g.first[a + 1] && j < g.first[b + 1]) {
            int left = g.neighbours[i];
            int right = g.neighbours[j];
            if (left == right) ++count;
            if (left <= right) ++i;
            if (right <= left) ++j;
        }
        return count;
    }

    private static long trianglesAt(Graph g, int v) {
        long count = 0;
        for (int i = g.first[v]; i < g.first[v + 1]; ++i) count += common(g, v, g.neighbours[i]);
        return count;
    }

    private static long byMarks(Graph g) {
        int[] markedBy = new int[g.size()];
        Arrays.fill(markedBy, g.size());
        long count = 0;
        for (int v = 0; v < g.size(); ++v) {
            for (int i = g.first[v]; i < g.first[v + 1]; ++i) markedBy[g.neighbours[i]] = v;
            for (int i = g.first[v]; i < g.first[v + 1]; ++i) {
                int to = g.neighbours[i];
                for (int j = g.first[to]; j < g.first[to + 1]; ++j) count += markedBy[g.neighbours[j]] == v ? 1 : 0;
            }
        }
        return count;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("triangles", 17, words);
        me.require(me.size <= 25, "--size is the binary logarithm of the number of vertices: at most 25");
        Graph g = oriented(Graph.make((int) me.size));
        Callable<Long> onStream = () -> IntStream.range(0, g.size()).parallel().mapToLong(v -> trianglesAt(g, v)).sum();
        me.measure(() -> ForkJoinTask.adapt(onStream), byMarks(g));
    }
}
