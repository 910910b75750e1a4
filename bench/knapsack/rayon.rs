#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

#[derive(Clone, Copy)]
struct Item {
    value: i64,
    weight: i64,
}

/// Where the search stands: what was decided for the items before `next`.
#[derive(Clone, Copy)]
struct Load {
    next: usize,
    room: i64,
    value: i64,
}

/// As in `problem.hpp`: the densest first, and room for half of their weight.
fn goods(count: usize) -> (Vec<Item>, i64) {
    let mut items = contender::made_of_random(count, |random| {
        let weight = 1000 + (random % 1000) as i64;
        Item { value: weight + 100, weight }
    });
    items.sort_by(|a, b| (b.value * a.weight).cmp(&(a.value * b.weight)));
    let room = items.iter().map(|item| item.weight).sum::<i64>() / 2;
    (items, room)
}

fn is_hopeless(items: &[Item], at: Load, best: i64) -> bool {
    if at.room < 0 {
        return true;
    }
    match items.get(at.next) {
        None => at.value <= best,
        Some(densest) => at.value + at.room * densest.value / densest.weight <= best,
    }
}

/// Searches what begins like `at`: first with the next item, then without.
fn search(items: &[Item], at: Load, best: &AtomicI64) {
    if is_hopeless(items, at, best.load(Relaxed)) {
        return;
    }
    best.fetch_max(at.value, Relaxed);
    if let Some(item) = items.get(at.next) {
        let with = Load { next: at.next + 1, room: at.room - item.weight, value: at.value + item.value };
        let without = Load { next: at.next + 1, ..at };
        rayon::join(|| search(items, with, best), || search(items, without, best));
    }
}

fn by_table(items: &[Item], room: i64) -> i64 {
    let mut best = vec![0; room as usize + 1];
    for item in items {
        for room in (item.weight as usize..best.len()).rev() {
            best[room] = best[room].max(best[room - item.weight as usize] + item.value);
        }
    }
    best[room as usize]
}

fn main() {
    let mut me = contender::Contender::new("knapsack", 36, "");
    let pool = rayon_pool::pool(&me);
    let (items, room) = goods(me.size as usize);
    let expected = by_table(&items, room);
    let start = Load { next: 0, room, value: 0 };
    let is_right = |best: &AtomicI64, _: &()| best.load(Relaxed) == expected;
    me.measure_on(|| AtomicI64::new(0), |best| pool.install(|| search(&items, start, best)), is_right);
    me.exit();
}
