import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RecursiveTask;

final class Nqueens extends RecursiveTask<Long> {
    /** As in problem.hpp: solutions for n = 0 to 18, OEIS A000170. */
    private static final long[] PUBLISHED = {
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};
    private final int n;
    private final byte[] rows; // of the queens placed so far

    private Nqueens(int n, byte[] rows) {
        this.n = n;
        this.rows = rows;
    }

    private boolean isSafe(byte[] next) {
        int last = next.length - 1;
        int row = next[last];
        for (int i = 0; i < last; ++i) {
            int distance = last - i;
            int other = next[i];
            if (other == row || other == row - distance || other == row + distance) return false;
        }
        return true;
    }

    @Override
    protected Long compute() {
        if (rows.length == n) return 1L;
        List<Nqueens> below = new ArrayList<>(n);
        for (int row = 0; row < n; ++row) {
            byte[] next = Arrays.copyOf(rows, rows.length + 1);
            next[rows.length] = (byte) row;
            if (isSafe(next)) below.add(new Nqueens(n, next));
        }
        invokeAll(below);
        long solutions = 0;
        for (Nqueens each : below) solutions += each.join();
        return solutions;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("nqueens", 13, words);
        me.require(me.size < PUBLISHED.length, "--size is the side of the board: at most 18");
        me.measure(() -> new Nqueens((int) me.size, new byte[0]), PUBLISHED[(int) me.size]);
    }
}
