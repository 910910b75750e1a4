#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use tokio_runtime::Boxed;

fn fib(n: u64) -> Boxed<u64> {
    Box::pin(async move {
        if n < 2 {
            return n;
        }
        let left = tokio::spawn(fib(n - 1));
        let right = fib(n - 2).await;
        left.await.unwrap() + right
    })
}

fn by_adding(n: u64) -> u64 {
    (0..n).fold((0, 1), |(current, next), _| (next, current + next)).0
}

fn main() {
    let mut me = contender::Contender::new("fib", 30, "");
    let runtime = tokio_runtime::runtime(&me);
    let n = me.size;
    me.measure(|| tokio_runtime::run(&runtime, fib(n)), by_adding(n));
    me.exit();
}
