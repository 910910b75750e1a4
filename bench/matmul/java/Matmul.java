final class Matmul {
    /** As in problem.hpp: halves the longest side. */
    private static void addProduct(Matrix a, Matrix b, Matrix c) {
        int m = a.rows();
        int k = a.columns();
        int n = b.columns();
        if (Math.max(Math.max(m, k), n) <= Matrix.PLAIN_SIDE) {
            Matrix.addProductPlainly(a, b, c);
        } else if (m >= k && m >= n) {
            Half.both(() -> addProduct(a.upper(), b, c.upper()), () -> addProduct(a.lower(), b, c.lower()));
        } else if (n >= k) {
            Half.both(() -> addProduct(a, b.left(), c.left()), () -> addProduct(a, b.right(), c.right()));
        } else {
            addProduct(a.left(), b.upper(), c);
            addProduct(a.right(), b.lower(), c);
        }
    }

    public static void main(String[] words) throws Exception {
        Matrix.measure(new Contender("matmul", 1024, words), Matmul::addProduct);
    }
}
