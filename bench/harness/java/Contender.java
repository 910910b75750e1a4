import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;

/** What contender.hpp is to the C++ contenders: reads the request, times the repeats, prints one JSON line for each. */
final class Contender {
    /** Runs before the clock counts, on the whole problem: what the compiler of the virtual machine needs. */
    private static final int WARM_UPS = 3;

    final String problem;
    long size;
    int workers = 1;
    private int repeat = 1;
    private boolean allCorrect = true;

    Contender(String problem, long size, String[] words) {
        this.problem = problem;
        this.size = size;
        require(words.length % 2 == 0, "an option wants a value");
        for (int i = 0; i < words.length; i += 2) {
            long value = Long.parseLong(words[i + 1]);
            switch (words[i]) {
                case "--workers" -> workers = (int) value;
                case "--repeat" -> repeat = (int) value;
                case "--size" -> this.size = value;
                default -> require(false, "no option " + words[i] + ": there are --workers, --repeat and --size");
            }
        }
        require(workers > 0 && repeat > 0 && this.size >= 0, "a number is out of range");
    }

    void require(boolean holds, String message) {
        if (holds) return;
        System.err.println("bench_" + problem + "_java: " + message);
        System.exit(2);
    }

    /** Times the task that `make` makes of what `prepare` makes, on a pool of its own; `check` tells whether its result is right. */
    <I, R> void measure(Supplier<I> prepare, Function<I, ForkJoinTask<R>> make, BiPredicate<I, R> check) throws IOException {
        ForkJoinPool pool = new ForkJoinPool(workers);
        for (int i = -WARM_UPS; i < repeat; ++i) {
            I input = prepare.get();
            long start = System.nanoTime();
            R result = pool.invoke(make.apply(input));
            double seconds = (System.nanoTime() - start) * 1e-9;
            if (i >= 0) report(seconds, check.test(input, result));
        }
        System.exit(allCorrect ? 0 : 1);
    }

    /** Times tasks without input whose result is known. */
    void measure(Supplier<ForkJoinTask<Long>> make, long expected) throws IOException {
        measure(() -> 0, none -> make.get(), (none, result) -> result == expected);
    }

    private void report(double seconds, boolean correct) throws IOException {
        allCorrect &= correct;
        System.out.printf(Locale.ROOT,
            "{\"problem\":\"%s\",\"peer\":\"java\",\"workers\":%d,\"size\":%d,\"seconds\":%e,\"correct\":%b,\"peak_rss_kib\":%d}%n",
            problem, workers, size, seconds, correct, peakRssKib());
    }

    private static long peakRssKib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", ""));
        }
        return 0;
    }
}
