#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;

/// The end is a permit for each, which unlike a notification is there also for who comes later.
struct Crowd {
    end: Semaphore,
    came: AtomicU64,
}

async fn wait_for_the_end(all: Arc<Crowd>) -> u64 {
    all.came.fetch_add(1, Ordering::Relaxed);
    all.end.acquire().await.unwrap().forget();
    1
}

fn resident_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

/// The memory that all of them take while they wait, and how many left.
async fn gather(tasks: u64) -> (f64, u64) {
    let all = Arc::new(Crowd { end: Semaphore::new(0), came: AtomicU64::new(0) });
    let left = Arc::new(AtomicU64::new(0));
    let before = resident_bytes();
    for _ in 0..tasks {
        let (all, left) = (all.clone(), left.clone());
        tokio::spawn(async move { left.fetch_add(wait_for_the_end(all).await, Ordering::Relaxed) });
    }
    while all.came.load(Ordering::Relaxed) != tasks {
        tokio::task::yield_now().await;
    }
    let bytes = resident_bytes() - before;
    all.end.add_permits(tasks as usize);
    while left.load(Ordering::Relaxed) != tasks {
        tokio::task::yield_now().await;
    }
    (bytes, left.load(Ordering::Relaxed))
}

fn main() {
    let mut me = contender::Contender::new("suspended", 1_000_000, "");
    let (runtime, tasks) = (tokio_runtime::runtime(&me), me.size);
    let begin = Instant::now();
    let (bytes, left) = tokio_runtime::run(&runtime, Box::pin(gather(tasks)));
    let seconds = begin.elapsed().as_secs_f64();
    me.report_values(&[("seconds", seconds), ("bytes_a_task", bytes / tasks as f64)], left == tasks);
    me.exit();
}
