#[path = "../harness/contender.rs"]
mod contender;

use crossbeam_deque::{Steal, Stealer, Worker};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// As in `problem.hpp`.
const BURST: u64 = 64;

/// How many came out, and their sum.
#[derive(Clone, Copy, Default, PartialEq)]
struct Haul {
    count: u64,
    sum: u64,
}

impl Haul {
    fn take(&mut self, item: Option<u64>) {
        self.count += item.is_some() as u64;
        self.sum += item.unwrap_or(0);
    }
}

fn steal(from: &Stealer<u64>) -> Option<u64> {
    match from.steal() {
        Steal::Success(item) => Some(item),
        Steal::Empty | Steal::Retry => None,
    }
}

fn in_bursts(deque: &Worker<u64>, items: u64, take: impl Fn(&Worker<u64>) -> Option<u64>) -> Haul {
    let (mut taken, mut item) = (Haul::default(), 0);
    while item < items {
        let end = items.min(item + BURST);
        (item..end).for_each(|each| deque.push(each));
        (0..BURST).for_each(|_| taken.take(take(deque)));
        item = end;
    }
    taken
}

fn contended(deque: &Worker<u64>, items: u64, thieves: usize) -> Haul {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let steal_all = || {
            let (stealer, over) = (deque.stealer(), &over);
            scope.spawn(move || {
                let mut all = Haul::default();
                while !over.load(Relaxed) {
                    all.take(steal(&stealer));
                }
                all
            })
        };
        let threads: Vec<_> = (0..thieves).map(|_| steal_all()).collect();
        let mut taken = in_bursts(deque, items, Worker::pop);
        over.store(true, Relaxed);
        for stolen in threads.into_iter().map(|thread| thread.join().unwrap()) {
            taken.count += stolen.count;
            taken.sum += stolen.sum;
        }
        taken
    })
}

fn main() {
    let mut me = contender::Contender::new("deques", 10_000_000, "push-pop");
    let (items, thieves, name) = (me.size, me.workers - 1, me.variant.clone());
    let run = |deque: &mut Worker<u64>| match name.as_str() {
        "contended" => contended(deque, items, thieves),
        "steal" => {
            let stealer = deque.stealer();
            in_bursts(deque, items, |_| steal(&stealer))
        }
        _ => in_bursts(deque, items, Worker::pop),
    };
    me.require(["push-pop", "steal", "contended"].contains(&name.as_str()), "--case is push-pop, steal or contended");
    let expected = Haul { count: items, sum: items * items.saturating_sub(1) / 2 };
    me.measure_on(Worker::new_lifo, run, |_, taken| *taken == expected);
    me.exit();
}
