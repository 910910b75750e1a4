#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/tokio_runtime.rs"]
mod tokio_runtime;

use tokio_runtime::Boxed;

const CHILDREN: u64 = 10;

fn skynet(first: u64, leaves: u64) -> Boxed<u64> {
    Box::pin(async move {
        if leaves == 1 {
            return first;
        }
        let share = leaves / CHILDREN;
        let tasks: Vec<_> = (0..CHILDREN).map(|k| tokio::spawn(skynet(first + k * share, share))).collect();
        let mut sum = 0;
        for task in tasks {
            sum += task.await.unwrap();
        }
        sum
    })
}

fn is_full_tree(mut leaves: u64) -> bool {
    while leaves != 0 && leaves % CHILDREN == 0 {
        leaves /= CHILDREN;
    }
    leaves == 1
}

fn main() {
    let mut me = contender::Contender::new("skynet", 1_000_000, "");
    let leaves = me.size;
    me.require(is_full_tree(leaves), "--size counts the leaves of a full tree: it must be a power of ten");
    let runtime = tokio_runtime::runtime(&me);
    me.measure(|| tokio_runtime::run(&runtime, skynet(0, leaves)), leaves * (leaves - 1) / 2);
    me.exit();
}
