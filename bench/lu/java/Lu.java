import java.util.Arrays;

final class Lu {
    /** Takes a * b from c; the quarters of c are independent. */
    private static void subtractProduct(Matrix a, Matrix b, Matrix c) {
        if (c.rows() > Matrix.PLAIN_SIDE && c.rows() >= c.columns()) {
            Half.both(() -> subtractProduct(a.upper(), b, c.upper()), () -> subtractProduct(a.lower(), b, c.lower()));
        } else if (c.columns() > Matrix.PLAIN_SIDE) {
            Half.both(() -> subtractProduct(a, b.left(), c.left()), () -> subtractProduct(a, b.right(), c.right()));
        } else {
            for (int i = 0; i < c.rows(); ++i) subtractRows(c, i, a, a.columns(), b);
        }
    }

    /** Takes from row i of `to` the first `count` rows of `from`, each as often as row i of `factors` says. */
    private static void subtractRows(Matrix to, int i, Matrix factors, int count, Matrix from) {
        for (int k = 0; k < count; ++k) {
            Matrix.addScaled(to.data(), to.row(i), -factors.data()[factors.row(i) + k], from.data(), from.row(k), to.columns());
        }
    }

    /** Solves L x = b in place for every column of b: L is the triangle below the diagonal, with ones on it. */
    private static void solveLower(Matrix l, Matrix b) {
        if (b.columns() > Matrix.PLAIN_SIDE) {
            Half.both(() -> solveLower(l, b.left()), () -> solveLower(l, b.right()));
            return;
        }
        for (int i = 0; i < b.rows(); ++i) subtractRows(b, i, l, i, b);
    }

    /** Makes element k of row i zero by taking so much of pivot k from what is behind it; its place holds the factor. */
    private static void eliminate(Matrix rows, int i, Matrix pivots, int k) {
        double[] values = rows.data();
        int at = rows.row(i) + k;
        int pivot = pivots.row(k) + k;
        values[at] /= pivots.data()[pivot];
        Matrix.addScaled(values, at + 1, -values[at], pivots.data(), pivot + 1, rows.columns() - k - 1);
    }

    /** Solves x U = b in place for every row of b: U is the triangle from the diagonal up. */
    private static void solveUpper(Matrix u, Matrix b) {
        if (b.rows() > Matrix.PLAIN_SIDE) {
            Half.both(() -> solveUpper(u, b.upper()), () -> solveUpper(u, b.lower()));
            return;
        }
        for (int i = 0; i < b.rows(); ++i) {
            for (int k = 0; k < b.columns(); ++k) eliminate(b, i, u, k);
        }
    }

    private static void split(Matrix a) {
        if (a.rows() <= Matrix.PLAIN_SIDE) {
            for (int k = 0; k < a.rows(); ++k) {
                for (int i = k + 1; i < a.rows(); ++i) eliminate(a, i, a, k);
            }
            return;
        }
        Matrix a00 = a.upper().left();
        Matrix a01 = a.upper().right();
        Matrix a10 = a.lower().left();
        Matrix a11 = a.lower().right();
        split(a00);
        Half.both(() -> solveLower(a00, a01), () -> solveUpper(a00, a10));
        subtractProduct(a10, a01, a11);
        split(a11);
    }

    /** As in problem.hpp: so much on the diagonal that no row need be exchanged. */
    private static double[] input(int n) {
        double[] values = Matrix.input(n, 0);
        for (int i = 0; i < n; ++i) values[i * n + i] = 8.0 * n;
        return values;
    }

    /** Whether the triangles in `a` multiply to what makes `expected` of a vector of ones. */
    private static boolean isRight(double[] a, double[] expected) {
        int n = expected.length;
        double[] upper = new double[n];
        Arrays.setAll(upper, i -> Arrays.stream(a, i * n + i, (i + 1) * n).sum());
        for (int i = 0; i < n; ++i) {
            double product = upper[i];
            for (int j = 0; j < i; ++j) product += a[i * n + j] * upper[j];
            if (Math.abs(product - expected[i]) > 1e-9 * Math.abs(expected[i])) return false;
        }
        return true;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("lu", 1024, words);
        me.require(me.size < 1 << 15, "--size is the side: below 32768");
        int n = (int) me.size;
        double[] input = input(n);
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        double[] expected = Matrix.timesVector(input, ones);
        me.measureInPlace(input::clone, a -> split(Matrix.whole(a, n)), a -> isRight(a, expected));
    }
}
