import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.LongStream;

final class Primes {
    private static boolean isPrime(long number) {
        if (number < 4) return number >= 2;
        if (number % 2 == 0) return false;
        for (long divisor = 3; divisor * divisor <= number; divisor += 2) {
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
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        Callable<Long> onStream = () -> LongStream.range(0, me.size).parallel().filter(Primes::isPrime).count();
        me.measure(() -> ForkJoinTask.adapt(onStream), bySieve((int) me.size));
    }
}
