#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::sync::Arc;
use tokio::sync::Mutex;

const TASKS: u64 = 64;

async fn take_turns(count: Arc<Mutex<u64>>, turns: u64) {
    for _ in 0..turns {
        *count.lock().await += 1;
    }
}

async fn hold_in_turn(count: Arc<Mutex<u64>>, turns: u64) {
    for _ in 0..turns {
        let mut held = count.lock().await;
        tokio::task::yield_now().await;
        *held += 1;
    }
}

async fn count_together(turns: u64, is_held: bool) -> u64 {
    let count = Arc::new(Mutex::new(0));
    let all: Vec<_> = (0..TASKS)
        .map(|_| match is_held {
            true => tokio::spawn(hold_in_turn(count.clone(), turns / TASKS)),
            false => tokio::spawn(take_turns(count.clone(), turns / TASKS)),
        })
        .collect();
    for each in all {
        each.await.unwrap();
    }
    let counted = *count.lock().await;
    counted
}

fn main() {
    let mut me = contender::Contender::new("async_mutex", 640_000, "short");
    let (turns, is_held) = (me.size, me.variant == "held");
    me.require(turns % TASKS == 0 && (is_held || me.variant == "short"), "--case is short or held, and --size a multiple of 64");
    let runtime = tokio_runtime::runtime(&me);
    me.measure(|| tokio_runtime::run(&runtime, Box::pin(count_together(turns, is_held))), turns);
    me.exit();
}
