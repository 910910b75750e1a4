import java.util.Arrays;
import java.util.stream.IntStream;

final class Loop {
    /** Numbers, and how often one was added to each. */
    private static final class Passes {
        final int[] numbers;
        int count;

        Passes(int size) {
            numbers = new int[size];
        }

        Passes next() {
            ++count;
            return this;
        }
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("loop", 100_000_000, words);
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        Passes passes = new Passes((int) me.size);
        int[] a = passes.numbers;
        me.measureInPlace(passes::next, all -> IntStream.range(0, a.length).parallel().forEach(i -> a[i] += 1),
            all -> Arrays.stream(a).allMatch(number -> number == all.count));
    }
}
