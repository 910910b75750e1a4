/** A record of 8 bytes is a number here, its key above its payload; so those of one key come in the order of their payloads. */
final class IntegerSort {
    public static void main(String[] words) throws Exception {
        Contender me = new Contender("integer_sort", 10_000_000, "numbers", words);
        me.require(me.size <= Integer.MAX_VALUE, "--size is too large");
        int count = (int) me.size;
        switch (me.variant) {
            case "numbers" -> Sort.measure(me, Sort.random(count, number -> number ^ Long.MIN_VALUE));
            case "records" -> Sort.measure(me, Sort.random(count, number -> number >>> 44 << 32 | number & 0xffffffffL));
            default -> me.require(false, "--case is one of numbers, records");
        }
    }
}
