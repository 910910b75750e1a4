import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

final class Skewed {
    private final int[] rounds;

    private Skewed(String variant, int count) {
        rounds = new int[count];
        SplitMix64 random = new SplitMix64(1);
        for (int i = 0; i < count; ++i) rounds[i] = roundsOf(variant, i, random.next());
    }

    /** As in problem.hpp: how many rounds an element takes. */
    private static int roundsOf(String variant, int i, long random) {
        return switch (variant) {
            case "ramp" -> i % 100 + 1;
            case "clustered" -> i / 64 == 5_000 ? 780_000 : 1;
            case "rare" -> Long.remainderUnsigned(random, 1000) == 0 ? 25_000 : 25;
            default -> (int) Math.min(15 * Math.pow(((random >>> 11) + 1) * 0x1p-53, -1 / 1.4), 1e6);
        };
    }

    private long element(int i) {
        long acc = i;
        for (int round = 0; round < rounds[i]; ++round) acc = (acc ^ acc >>> 29) * 31 + 7;
        return acc;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("skewed", 1_000_000, "ramp", words);
        me.require(Set.of("ramp", "pareto", "rare", "clustered").contains(me.variant), "--case is ramp, pareto, rare or clustered");
        Skewed loop = new Skewed(me.variant, (int) me.size);
        Callable<Long> onStream = () -> IntStream.range(0, loop.rounds.length).parallel().mapToLong(loop::element).sum();
        me.measure(() -> ForkJoinTask.adapt(onStream), IntStream.range(0, loop.rounds.length).mapToLong(loop::element).sum());
    }
}
