#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (left, right) = rayon::join(|| fib(n - 1), || fib(n - 2));
    left + right
}

fn by_adding(n: u64) -> u64 {
    (0..n).fold((0, 1), |(current, next), _| (next, current + next)).0
}

fn main() {
    let mut me = contender::Contender::new("fib", 39, "");
    let pool = rayon_pool::pool(&me);
    let n = me.size;
    me.measure(|| pool.install(|| fib(n)), by_adding(n));
    me.exit();
}
