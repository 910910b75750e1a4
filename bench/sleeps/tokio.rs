#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::time::{Duration, Instant};

/// How late, in seconds; negative if it is early.
async fn sleep() -> f64 {
    let due = Instant::now() + Duration::from_millis(10);
    tokio::time::sleep_until(due.into()).await;
    let now = Instant::now();
    if now < due {
        -1.0
    } else {
        (now - due).as_secs_f64()
    }
}

/// How late the last of them was, and whether none was early.
async fn sleep_all(count: u64) -> (f64, bool) {
    let all: Vec<_> = (0..count).map(|_| tokio::spawn(sleep())).collect();
    let (mut latest, mut none_is_early) = (0.0f64, true);
    for each in all {
        let late = each.await.unwrap();
        none_is_early &= late >= 0.0;
        latest = latest.max(late);
    }
    (latest, none_is_early)
}

fn main() {
    let mut me = contender::Contender::new("sleeps", 100_000, "");
    let (runtime, count) = (tokio_runtime::runtime(&me), me.size);
    for _ in 0..me.repeat {
        let begin = Instant::now();
        let (latest, correct) = tokio_runtime::run(&runtime, Box::pin(sleep_all(count)));
        let seconds = begin.elapsed().as_secs_f64();
        me.report_values(&[("seconds", seconds), ("latest_us", latest * 1e6)], correct);
    }
    me.exit();
}
