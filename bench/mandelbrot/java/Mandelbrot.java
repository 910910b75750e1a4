import java.util.stream.IntStream;

/** As in problem.hpp: escape times, row by row. */
final class Mandelbrot {
    private static final int MOST = 1000;

    private final int width;
    private final int height;

    private Mandelbrot(int height) {
        this.width = height * 3 / 2;
        this.height = height;
    }

    private double re(int x) {
        return -0.75 + (x + 0.5 - width / 2.0) * (2.5 / height);
    }

    private double im(int y) {
        return -(y + 0.5 - height / 2.0) * (2.5 / height);
    }

    private static int escapeTime(double cRe, double cIm) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < MOST; ++i) {
            double re2 = re * re;
            double im2 = im * im;
            if (re2 + im2 > 4) return i;
            im = 2 * re * im + cIm;
            re = re2 - im2 + cRe;
        }
        return MOST;
    }

    private void drawRow(int[] times, int y) {
        for (int x = 0; x < width; ++x) times[y * width + x] = escapeTime(re(x), im(y));
    }

    /** In the main cardioid, a little smaller, or in the disc to its left. */
    private static boolean isSurelyInside(double x, double y) {
        double q = (x - 0.25) * (x - 0.25) + y * y;
        return q * (q + (x - 0.25)) < 0.24 * y * y || (x + 1) * (x + 1) + y * y < 0.2475 * 0.2475;
    }

    private boolean isRight(int[] times) {
        for (int k = 0; k < times.length; ++k) {
            int x = k % width;
            int y = k / width;
            if (isSurelyInside(re(x), im(y)) && times[k] != MOST) return false;
            if (Math.hypot(re(x), im(y)) > 2.0001 && times[k] > 1) return false;
            if (times[k] != times[(height - 1 - y) * width + x]) return false;
        }
        return true;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("mandelbrot", 800, words);
        Mandelbrot shape = new Mandelbrot((int) me.size);
        me.measureInPlace(() -> new int[shape.width * shape.height],
            times -> IntStream.range(0, shape.height).parallel().forEach(y -> shape.drawRow(times, y)), shape::isRight);
    }
}
