import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

final class Knapsack {
    private record Item(long value, long weight) {}

    private final Item[] items;
    private final long room;

    /** As in problem.hpp: the densest first, and room for half of their weight. */
    private Knapsack(int count) {
        items = new Item[count];
        SplitMix64 random = new SplitMix64(1);
        Arrays.setAll(items, i -> {
            long weight = 1000 + Long.remainderUnsigned(random.next(), 1000);
            return new Item(weight + 100, weight);
        });
        Arrays.sort(items, (a, b) -> Long.compare(b.value * a.weight, a.value * b.weight));
        room = Arrays.stream(items).mapToLong(Item::weight).sum() / 2;
    }

    private boolean isHopeless(int next, long room, long value, long best) {
        if (room < 0) return true;
        if (next == items.length) return value <= best;
        return value + room * items[next].value / items[next].weight <= best;
    }

    private static void raise(AtomicLong best, long value) {
        for (long seen = best.get(); seen < value && !best.weakCompareAndSetVolatile(seen, value);) seen = best.get();
    }

    /** Searches what begins with that choice among the items before `next`: first with the next item, then without. */
    private void search(int next, long room, long value, AtomicLong best) {
        if (isHopeless(next, room, value, best.get())) return;
        raise(best, value);
        if (next == items.length) return;
        Half.both(() -> search(next + 1, room - items[next].weight, value + items[next].value, best),
            () -> search(next + 1, room, value, best));
    }

    private long byTable() {
        long[] best = new long[(int) room + 1];
        for (Item item : items) {
            for (int at = best.length - 1; at >= item.weight; --at) best[at] = Math.max(best[at], best[at - (int) item.weight] + item.value);
        }
        return best[best.length - 1];
    }

    public static void main(String[] words) throws Exception {
        Contender me = new Contender("knapsack", 36, words);
        Knapsack all = new Knapsack((int) me.size);
        long expected = all.byTable();
        me.measureInPlace(AtomicLong::new, best -> all.search(0, all.room, 0, best), best -> best.get() == expected);
    }
}
