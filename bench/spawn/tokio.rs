#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use tokio::sync::oneshot;
use tokio_runtime::Boxed;

const TASKS_OF_A_BATCH: u64 = 10_000;

async fn one() -> u64 {
    1
}

async fn in_batches(tasks: u64) -> u64 {
    let mut ran = 0;
    let mut batch = Vec::with_capacity(TASKS_OF_A_BATCH as usize);
    for _ in 0..tasks / TASKS_OF_A_BATCH {
        batch.extend((0..TASKS_OF_A_BATCH).map(|_| tokio::spawn(one())));
        for each in batch.drain(..) {
            ran += each.await.unwrap();
        }
    }
    ran
}

fn link(number: u64, last: u64, ended: oneshot::Sender<u64>) -> Boxed<()> {
    Box::pin(async move {
        if number == last {
            ended.send(number).unwrap();
        } else {
            tokio::spawn(link(number + 1, last, ended));
        }
    })
}

async fn in_a_chain(tasks: u64) -> u64 {
    let (ended, end) = oneshot::channel();
    tokio::spawn(link(1, tasks, ended));
    end.await.unwrap()
}

async fn yield_often(times: u64) -> u64 {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
    times
}

async fn in_turn(times: u64) -> u64 {
    let (one, other) = (tokio::spawn(yield_often(times / 2)), tokio::spawn(yield_often(times / 2)));
    one.await.unwrap() + other.await.unwrap()
}

fn main() {
    let mut me = contender::Contender::new("spawn", 1_000_000, "batch");
    let tasks = me.size;
    let run: fn(u64) -> Boxed<u64> = match me.variant.as_str() {
        "batch" => |tasks| Box::pin(in_batches(tasks)),
        "chain" => |tasks| Box::pin(in_a_chain(tasks)),
        "yield" => |tasks| Box::pin(in_turn(tasks)),
        _ => |_| Box::pin(async { 0 }),
    };
    let is_known = ["batch", "chain", "yield"].contains(&me.variant.as_str());
    me.require(
        is_known && tasks > 0 && tasks % TASKS_OF_A_BATCH == 0,
        "--case is batch, chain or yield, and --size a multiple of 10,000",
    );
    let runtime = tokio_runtime::runtime(&me);
    me.measure(|| tokio_runtime::run(&runtime, run(tasks)), tasks);
    me.exit();
}
