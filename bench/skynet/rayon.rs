#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use rayon::prelude::*;

const CHILDREN: u64 = 10;

fn skynet(first: u64, leaves: u64) -> u64 {
    if leaves == 1 {
        return first;
    }
    let share = leaves / CHILDREN;
    (0..CHILDREN).into_par_iter().map(|k| skynet(first + k * share, share)).sum()
}

fn is_full_tree(mut leaves: u64) -> bool {
    while leaves != 0 && leaves % CHILDREN == 0 {
        leaves /= CHILDREN;
    }
    leaves == 1
}

fn main() {
    let mut me = contender::Contender::new("skynet", 100_000_000, "");
    let leaves = me.size;
    me.require(is_full_tree(leaves), "--size counts the leaves of a full tree: it must be a power of ten");
    let pool = rayon_pool::pool(&me);
    me.measure(|| pool.install(|| skynet(0, leaves)), leaves * (leaves - 1) / 2);
    me.exit();
}
