import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

final class Primes {
    private static boolean isPrime(int number) {
        if (number < 4) return number >= 2;
        if (number % 2 == 0) return false;
        for (int divisor = 3; divisor * divisor <= number; divisor += 2) {
            if (number % divisor == 0) return false;
        }
        return true;
    }

    private static long bySieve(int below) {
        BitSet crossed = new BitSet(below);
        long count = 0;
        for (int number = 2; number < below; ++number) {
            if (crossed.get(number)) continue;
            ++count;
            for (long multiple = (long) number * number; multiple < below; multiple += number) crossed.set((int) multiple);
        }
        return count;
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("primes", 5_000_000, words);
        me.require(me.size <= 1 << 30, "--size is too large");
        int below = (int) me.size;
        Callable<Long> onStream = () -> IntStream.range(0, below).parallel().filter(Primes::isPrime).count();
        me.measure(() -> ForkJoinTask.adapt(onStream), bySieve(below));
    }
}
