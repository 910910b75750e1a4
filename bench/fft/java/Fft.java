import java.util.Arrays;

/** Complex numbers lie in arrays of doubles, real and imaginary part by turns; positions count numbers. */
final class Fft {
    /** Below this many butterflies a loop is quicker than two forks. */
    private static final int PLAIN_BUTTERFLIES = 1024;

    private final double[] roots;

    private Fft(int n) {
        roots = new double[n];
        for (int k = 0; k < n / 2; ++k) {
            double angle = -2 * Math.PI * k / n;
            roots[2 * k] = Math.cos(angle);
            roots[2 * k + 1] = Math.sin(angle);
        }
    }

    /** Joins the transforms of the even and the odd elements, which lie in two parts of a result. */
    private void butterflies(double[] out, int even, int odd, int count, int root, int stride) {
        if (count > PLAIN_BUTTERFLIES) {
            int half = count / 2;
            Half.both(() -> butterflies(out, even, odd, half, root, stride),
                () -> butterflies(out, even + half, odd + half, count - half, root + half * stride, stride));
            return;
        }
        for (int k = 0; k < count; ++k) {
            int e = 2 * (even + k);
            int o = 2 * (odd + k);
            int r = 2 * (root + k * stride);
            double re = roots[r] * out[o] - roots[r + 1] * out[o + 1];
            double im = roots[r] * out[o + 1] + roots[r + 1] * out[o];
            out[o] = out[e] - re;
            out[o + 1] = out[e + 1] - im;
            out[e] += re;
            out[e + 1] += im;
        }
    }

    /** Transforms every `stride`-th element of `in` from `first` on into `count` elements of `out`. */
    private void transform(double[] in, int first, int stride, double[] out, int begin, int count) {
        if (count == 1) {
            out[2 * begin] = in[2 * first];
            out[2 * begin + 1] = in[2 * first + 1];
            return;
        }
        int half = count / 2;
        Half.both(() -> transform(in, first, stride * 2, out, begin, half),
            () -> transform(in, first + stride, stride * 2, out, begin + half, half));
        butterflies(out, begin, begin + half, half, 0, stride);
    }

    private void transform(double[] in, double[] out) {
        transform(in, 0, 1, out, 0, in.length / 2);
    }

    /** As in problem.hpp: random points of the square of side 2 around the origin. */
    private static double[] input(int n) {
        SplitMix64 random = new SplitMix64(1);
        double[] values = new double[2 * n];
        Arrays.setAll(values, i -> (random.next() >>> 11) * 0x1p-52 - 1);
        return values;
    }

    /** How far one element of the transform is from its definition. */
    private static double error(double[] in, double[] out, int index) {
        int n = in.length / 2;
        double re = 0;
        double im = 0;
        for (int j = 0; j < n; ++j) {
            double angle = -2 * Math.PI * ((long) index * j % n) / n;
            re += in[2 * j] * Math.cos(angle) - in[2 * j + 1] * Math.sin(angle);
            im += in[2 * j] * Math.sin(angle) + in[2 * j + 1] * Math.cos(angle);
        }
        return Math.hypot(out[2 * index] - re, out[2 * index + 1] - im);
    }

    private static double[] mirrored(double[] values) {
        double[] result = values.clone();
        for (int i = 1; i < result.length; i += 2) result[i] = -result[i];
        return result;
    }

    /** Some elements are worked out by the definition, and the inverse transform must bring back all of the input. */
    private boolean isRight(double[] in, double[] out) {
        int n = in.length / 2;
        double tolerance = 1e-9 * Math.sqrt(n);
        for (int index : new int[] {0, 1, n / 3, n - 1}) {
            if (index < n && error(in, out, index) > tolerance) return false;
        }
        double[] back = new double[in.length];
        transform(mirrored(out), back);
        back = mirrored(back);
        for (int i = 0; i < back.length; ++i) {
            if (Math.abs(back[i] / n - in[i]) > 1e-9) return false;
        }
        return true;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("fft", 20, words);
        me.require(me.size <= 29, "--size is the binary logarithm of the number of points: at most 29");
        int n = 1 << me.size;
        Fft plan = new Fft(n);
        double[] in = input(n);
        me.measureInPlace(() -> new double[2 * n], out -> plan.transform(in, out), out -> plan.isRight(in, out));
    }
}
