import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

final class Find {
    public static void main(String[] words) throws Exception {
        Contender me = new Contender("find", 100_000_000, "end", words);
        me.require(me.size > 100 && me.size <= Integer.MAX_VALUE, "--size counts the numbers: more than 100, and it must fit 31 bits");
        float[] numbers = new float[(int) me.size];
        Arrays.fill(numbers, 1);
        int place = switch (me.variant) {
            case "front" -> 100;
            case "tenth" -> numbers.length / 10;
            default -> numbers.length - 1;
        };
        numbers[place] = 2;
        Callable<Long> onStream = () -> (long) IntStream.range(0, numbers.length).parallel().filter(i -> numbers[i] == 2).findFirst().orElse(-1);
        me.measure(() -> ForkJoinTask.adapt(onStream), place);
    }
}
