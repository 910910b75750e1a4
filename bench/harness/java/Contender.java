import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What contender.hpp is to the C++ contenders: reads the request, times the repeats, prints one JSON line for each. */
final class Contender {
    /** Runs before the clock counts, on the whole problem: what the compiler of the virtual machine needs. */
    static final int WARM_UPS = 3;

    final String problem;
    long size;
    int workers = 1;
    int repeat = 1;
    String variant;
    private boolean allCorrect = true;

    Contender(String problem, long size, String[] words) {
        this(problem, size, null, words);
    }

    Contender(String problem, long size, String variant, String[] words) {
        this.problem = problem;
        this.size = size;
        this.variant = variant;
        require(words.length % 2 == 0, "an option wants a value");
        for (int i = 0; i < words.length; i += 2) {
            String value = words[i + 1];
            switch (words[i]) {
                case "--workers" -> workers = Integer.parseInt(value);
                case "--repeat" -> repeat = Integer.parseInt(value);
                case "--size" -> this.size = Long.parseLong(value);
                case "--case" -> this.variant = value;
                default -> require(false, "no option " + words[i] + ": there are --workers, --repeat, --size and --case");
            }
        }
        require(workers > 0 && repeat > 0 && this.size >= 0, "a number is out of range");
        // What sorts in parallel asks the common pool how much, and not the pool that it runs in.
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", Integer.toString(workers));
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
        exit();
    }

    /** Times what changes an input in place, and returns nothing. */
    <I> void measureInPlace(Supplier<I> prepare, Consumer<I> change, Predicate<I> check) throws IOException {
        this.<I, Void>measure(prepare, input -> new Half(() -> change.accept(input)), (input, none) -> check.test(input));
    }

    /** Times tasks without input whose result is known. */
    void measure(Supplier<ForkJoinTask<Long>> make, long expected) throws IOException {
        measure(() -> 0, none -> make.get(), (none, result) -> result == expected);
    }

    void exit() {
        System.exit(allCorrect ? 0 : 1);
    }

    void report(double seconds, boolean correct) throws IOException {
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
