final class Strassen {
    /** Below this the sums cost more than the eighth product. */
    private static final int PLAIN_SIDE = 64;

    /** Row and column of a quarter, and of another with its sign: none where that is 0. */
    private record Term(int row, int column, int otherRow, int otherColumn, int sign) {}

    /** As in problem.hpp: the factors of the seven products. */
    private static final Term[][] PRODUCTS = {
        {new Term(0, 0, 1, 1, 1), new Term(0, 0, 1, 1, 1)},
        {new Term(1, 0, 1, 1, 1), new Term(0, 0, 0, 0, 0)},
        {new Term(0, 0, 0, 0, 0), new Term(0, 1, 1, 1, -1)},
        {new Term(1, 1, 0, 0, 0), new Term(1, 0, 0, 0, -1)},
        {new Term(0, 0, 0, 1, 1), new Term(1, 1, 0, 0, 0)},
        {new Term(1, 0, 0, 0, -1), new Term(0, 0, 0, 1, 1)},
        {new Term(0, 1, 1, 1, -1), new Term(1, 0, 1, 1, 1)}};

    /** With which sign each product goes into the quarters (0,0), (0,1), (1,0) and (1,1) of the result. */
    private static final int[][] SIGNS = {{1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}};

    private static Matrix quarter(Matrix whole, int row, int column) {
        Matrix rows = row == 0 ? whole.upper() : whole.lower();
        return column == 0 ? rows.left() : rows.right();
    }

    private static Matrix square(int n) {
        return Matrix.whole(new double[n * n], n);
    }

    private static void add(Matrix to, Matrix from, int sign) {
        for (int i = 0; i < to.rows(); ++i) Matrix.addScaled(to.data(), to.row(i), sign, from.data(), from.row(i), to.columns());
    }

    /** The quarter itself, or the sum of two. */
    private static Matrix evaluate(Matrix whole, Term term) {
        Matrix first = quarter(whole, term.row, term.column);
        if (term.sign == 0) return first;
        Matrix sum = square(first.rows());
        add(sum, first, 1);
        add(sum, quarter(whole, term.otherRow, term.otherColumn), term.sign);
        return sum;
    }

    /** Works out the products [first, last), each into a matrix of its own. */
    private static void multiply(Matrix a, Matrix b, Matrix[] results, int first, int last) {
        if (last - first > 1) {
            int middle = first + (last - first) / 2;
            Half.both(() -> multiply(a, b, results, first, middle), () -> multiply(a, b, results, middle, last));
            return;
        }
        results[first] = square(a.rows() / 2);
        addFastProduct(evaluate(a, PRODUCTS[first][0]), evaluate(b, PRODUCTS[first][1]), results[first]);
    }

    private static void addFastProduct(Matrix a, Matrix b, Matrix c) {
        if (a.rows() <= PLAIN_SIDE) {
            Matrix.addProductPlainly(a, b, c);
            return;
        }
        Matrix[] results = new Matrix[PRODUCTS.length];
        multiply(a, b, results, 0, results.length);
        Half.both(() -> Half.both(() -> sumUp(results, c, 0), () -> sumUp(results, c, 1)),
            () -> Half.both(() -> sumUp(results, c, 2), () -> sumUp(results, c, 3)));
    }

    private static void sumUp(Matrix[] results, Matrix c, int which) {
        for (int k = 0; k < results.length; ++k) {
            if (SIGNS[which][k] != 0) add(quarter(c, which / 2, which % 2), results[k], SIGNS[which][k]);
        }
    }

    private static boolean isFitting(long n) {
        while (n > PLAIN_SIDE && n % 2 == 0) n /= 2;
        return n > 0 && n <= PLAIN_SIDE;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("strassen", 1024, words);
        me.require(isFitting(me.size), "--size is the side: a power of two times at most 64");
        Matrix.measure(me, Strassen::addFastProduct);
    }
}
