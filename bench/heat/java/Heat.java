final class Heat {
    private static final int PLAIN_ROWS = 16;
    private static final double FLOW = 0.2;
    private static final int STEPS = 20;

    private final int side;

    private Heat(int side) {
        this.side = side;
    }

    /** One step of the rows [first, last). */
    private void step(double[] from, double[] to, int first, int last) {
        if (last - first > PLAIN_ROWS) {
            int middle = first + (last - first) / 2;
            Half.both(() -> step(from, to, first, middle), () -> step(from, to, middle, last));
            return;
        }
        for (int i = first; i < last; ++i) {
            for (int at = i * side + 1; at < (i + 1) * side - 1; ++at) {
                to[at] = from[at] + FLOW * (from[at - side] + from[at + side] + from[at - 1] + from[at + 1] - 4 * from[at]);
            }
        }
    }

    /** Leaves the plate after all steps in the first of both. */
    private void spread(double[][] plates) {
        for (int i = 0; i < STEPS; ++i) {
            step(plates[0], plates[1], 1, side - 1);
            double[] now = plates[1];
            plates[1] = plates[0];
            plates[0] = now;
        }
    }

    /** Half a wave along each side, of that height; the rim is zero. */
    private double[] waves(double height) {
        double[] wave = new double[side];
        for (int i = 1; i < side - 1; ++i) wave[i] = Math.sin(Math.PI * i / (side - 1));
        double[] plate = new double[side * side];
        for (int k = 0; k < plate.length; ++k) plate[k] = height * wave[k / side] * wave[k % side];
        return plate;
    }

    private static boolean isNear(double[] plate, double[] expected) {
        for (int k = 0; k < plate.length; ++k) {
            if (Math.abs(plate[k] - expected[k]) > 1e-10) return false;
        }
        return true;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("heat", 2048, words);
        me.require(me.size > 0 && me.size < 1 << 15, "--size counts the points along a side: at least 1, and below 32768");
        Heat heat = new Heat((int) me.size + 2);
        double half = Math.sin(Math.PI / 2 / (heat.side - 1));
        double[] input = heat.waves(1);
        double[] expected = heat.waves(Math.pow(1 - 8 * FLOW * half * half, STEPS));
        me.measureInPlace(() -> new double[][] {input.clone(), input.clone()}, heat::spread, plates -> isNear(plates[0], expected));
    }
}
