import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.LongStream;

final class Sum {
    private static long factor = 31, offset = 7; // not constants, as in problem.hpp

    private static long element(long i) {
        long acc = i, a = factor, b = offset;
        for (long round = 0; round <= i % 100; ++round) acc = acc * a + b;
        return acc;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("sum", 1_000_000, words);
        Callable<Long> onStream = () -> LongStream.range(0, me.size).parallel().map(Sum::element).sum();
        me.measure(() -> ForkJoinTask.adapt(onStream), LongStream.range(0, me.size).map(Sum::element).sum());
    }
}
