import java.io.IOException;
import java.util.Arrays;

/** A block of a matrix in row order, and what else problem.hpp has for every problem on matrices. Blocks that are written at the same time share no element. */
record Matrix(double[] data, int begin, int rows, int columns, int stride) {
    static final int PLAIN_SIDE = 32;

    interface Product {
        /** Adds a * b to c. */
        void add(Matrix a, Matrix b, Matrix c);
    }

    static Matrix whole(double[] values, int n) {
        return new Matrix(values, 0, n, n, n);
    }

    /** Where a row begins. */
    int row(int i) {
        return begin + i * stride;
    }

    Matrix upper() {
        return new Matrix(data, begin, rows / 2, columns, stride);
    }

    Matrix lower() {
        return new Matrix(data, row(rows / 2), rows - rows / 2, columns, stride);
    }

    Matrix left() {
        return new Matrix(data, begin, rows, columns / 2, stride);
    }

    Matrix right() {
        return new Matrix(data, begin + columns / 2, rows, columns - columns / 2, stride);
    }

    /** Adds `factor` times so many numbers of `from` to those of `to`. */
    static void addScaled(double[] to, int toBegin, double factor, double[] from, int fromBegin, int count) {
        for (int j = 0; j < count; ++j) to[toBegin + j] += factor * from[fromBegin + j];
    }

    static void addProductPlainly(Matrix a, Matrix b, Matrix c) {
        for (int i = 0; i < a.rows; ++i) {
            for (int k = 0; k < a.columns; ++k) addScaled(c.data, c.row(i), a.data[a.row(i) + k], b.data, b.row(k), b.columns);
        }
    }

    static double[] input(int n, long which) {
        SplitMix64 random = new SplitMix64(2 + which);
        double[] values = new double[n * n];
        Arrays.setAll(values, i -> Long.remainderUnsigned(random.next(), 9) - 4.0);
        return values;
    }

    static double[] timesVector(double[] a, double[] x) {
        double[] product = new double[x.length];
        for (int i = 0; i < x.length; ++i) {
            for (int j = 0; j < x.length; ++j) product[i] += a[i * x.length + j] * x[j];
        }
        return product;
    }

    /** Times a product, and asks a random vector whether it is one. */
    static void measure(Contender me, Product product) throws IOException {
        me.require(me.size <= 1 << 15, "--size is the side: at most 32768");
        int n = (int) me.size;
        double[] a = input(n, 0);
        double[] b = input(n, 1);
        double[] x = new double[n];
        SplitMix64 random = new SplitMix64(1 ^ 0x5eed);
        Arrays.setAll(x, i -> Long.remainderUnsigned(random.next(), 65536));
        double[] expected = timesVector(a, timesVector(b, x));
        me.measureInPlace(() -> new double[n * n], c -> product.add(whole(a, n), whole(b, n), whole(c, n)),
            c -> Arrays.equals(timesVector(c, x), expected));
    }
}
