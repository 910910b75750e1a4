import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

final class Reduce {
    /** As in problem.hpp: numbers -1, 0 and 1. */
    private static float[] input(int count) {
        SplitMix64 random = new SplitMix64(1);
        float[] numbers = new float[count];
        for (int i = 0; i < count; ++i) numbers[i] = Long.remainderUnsigned(random.next(), 3) - 1;
        return numbers;
    }

    private static ForkJoinTask<Double> task(Callable<Double> onStream) {
        return ForkJoinTask.adapt(onStream);
    }

    private static long exactly(int count, IntToLongFunction term) {
        return IntStream.range(0, count).mapToLong(term).sum();
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("reduce", 100_000_000, "sum", words);
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        float[] a = input((int) me.size);
        int half = a.length / 2;
        switch (me.variant) {
            case "sum" -> {
                double expected = exactly(a.length, i -> (long) a[i]);
                me.measure(() -> a, all -> task(() -> IntStream.range(0, all.length).parallel().mapToDouble(i -> all[i]).reduce(0, Double::sum)),
                    (all, sum) -> sum == expected);
            }
            case "dot" -> {
                double expected = exactly(half, i -> (long) (a[i] * a[half + i]));
                me.measure(() -> a, all -> task(() -> IntStream.range(0, half).parallel().mapToDouble(i -> all[i] * all[half + i]).reduce(0, Double::sum)),
                    (all, sum) -> sum == expected);
            }
            case "square" -> me.measureInPlace(() -> a, all -> IntStream.range(0, all.length).parallel().forEach(i -> all[i] *= all[i]),
                all -> IntStream.range(0, all.length).allMatch(i -> all[i] == 0 || all[i] == 1));
            default -> me.require(false, "--case is sum, dot or square");
        }
    }
}
