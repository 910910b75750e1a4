#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use std::sync::Arc;
use tokio::sync::mpsc::{channel, Receiver, Sender};
use tokio::sync::Mutex;

const CAPACITY: usize = 1024;
const SENDERS: u64 = 4;

async fn send(to: Sender<u64>, count: u64) {
    for i in 0..count {
        to.send(i).await.unwrap();
    }
}

async fn receive_alone(mut from: Receiver<u64>) -> u64 {
    let mut sum = 0;
    while let Some(value) = from.recv().await {
        sum += value;
    }
    sum
}

/// Tokio's channel has one receiver: several share it by a lock.
async fn receive(from: Arc<Mutex<Receiver<u64>>>) -> u64 {
    let mut sum = 0;
    loop {
        let found = from.lock().await.recv().await;
        match found {
            Some(value) => sum += value,
            None => return sum,
        }
    }
}

async fn stream(values: u64, receivers: u64) -> u64 {
    let (to, from) = channel(CAPACITY);
    let receiving: Vec<_> = if receivers == 1 {
        vec![tokio::spawn(receive_alone(from))]
    } else {
        let shared = Arc::new(Mutex::new(from));
        (0..receivers).map(|_| tokio::spawn(receive(shared.clone()))).collect()
    };
    for _ in 0..SENDERS {
        tokio::spawn(send(to.clone(), values / SENDERS));
    }
    drop(to);
    let mut sum = 0;
    for each in receiving {
        sum += each.await.unwrap();
    }
    sum
}

fn main() {
    let mut me = contender::Contender::new("channel", 1_000_000, "4");
    let (values, receivers) = (me.size, me.variant.parse().unwrap_or(0));
    me.require(
        receivers > 0 && receivers <= 64 && values % SENDERS == 0,
        "--case is a number of receivers up to 64, and --size a multiple of 4",
    );
    let each = values / SENDERS;
    let runtime = tokio_runtime::runtime(&me);
    me.measure(|| tokio_runtime::run(&runtime, Box::pin(stream(values, receivers))), SENDERS * (each * (each - 1) / 2));
    me.exit();
}
