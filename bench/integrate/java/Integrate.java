import java.util.concurrent.RecursiveTask;

final class Integrate extends RecursiveTask<Double> {
    private static final double EPSILON = 1e-9;
    private final double x1;
    private final double y1;
    private final double x2;
    private final double y2;
    private final double area;

    private Integrate(double x1, double y1, double x2, double y2, double area) {
        this.x1 = x1;
        this.y1 = y1;
        this.x2 = x2;
        this.y2 = y2;
        this.area = area;
    }

    private static double integrand(double x) {
        return (x * x + 1) * x;
    }

    @Override
    protected Double compute() {
        double half = (x2 - x1) / 2;
        double x0 = x1 + half;
        double y0 = integrand(x0);
        double leftArea = (y1 + y0) / 2 * half;
        double rightArea = (y0 + y2) / 2 * half;
        if (Math.abs(leftArea + rightArea - area) < EPSILON) return leftArea + rightArea;
        Integrate left = new Integrate(x1, y1, x0, y0, leftArea);
        left.fork();
        double right = new Integrate(x0, y0, x2, y2, rightArea).compute();
        return left.join() + right;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("integrate", 2_000, words);
        double upper = me.size;
        double exact = Math.pow(upper, 4) / 4 + upper * upper / 2;
        me.measure(() -> upper, x -> new Integrate(0, integrand(0), x, integrand(x), 0),
            (x, result) -> Math.abs(result - exact) <= 1e-9 * Math.max(exact, 1));
    }
}
