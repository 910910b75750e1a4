/** The numbers of filch::base::split_mix64: all contenders get the same input. */
final class SplitMix64 {
    private long state;

    SplitMix64(long seed) {
        state = seed;
    }

    long next() {
        long z = state += 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
