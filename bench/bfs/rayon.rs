#[path = "../harness/contender.rs"]
mod contender;
#[path = "../rmat/graph.rs"]
mod graph;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use graph::Graph;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const UNSEEN: u32 = u32::MAX;

fn source_of(g: &Graph) -> u32 {
    (0..g.size() as u32).rev().max_by_key(|&v| g.neighbours(v).len()).unwrap() // the first of the greatest
}

fn serial(g: &Graph, source: u32) -> Vec<u32> {
    let mut distance = vec![UNSEEN; g.size()];
    let mut queue = vec![source];
    distance[source as usize] = 0;
    let mut next = 0;
    while next < queue.len() {
        let from = queue[next];
        for &to in g.neighbours(from) {
            if distance[to as usize] == UNSEEN {
                distance[to as usize] = distance[from as usize] + 1;
                queue.push(to);
            }
        }
        next += 1;
    }
    distance
}

fn claim(mark: &AtomicU32, level: u32) -> bool {
    mark.load(Relaxed) == UNSEEN && mark.compare_exchange(UNSEEN, level, Relaxed, Relaxed).is_ok()
}

fn on_rayon(g: &Graph, source: u32) -> Vec<AtomicU32> {
    let distance: Vec<AtomicU32> = (0..g.size()).map(|_| AtomicU32::new(UNSEEN)).collect();
    distance[source as usize].store(0, Relaxed);
    let mut frontier = vec![source];
    let mut level = 1;
    while !frontier.is_empty() {
        let found = |&v: &u32| g.neighbours(v).iter().copied().filter(|&to| claim(&distance[to as usize], level));
        frontier = frontier.par_iter().flat_map_iter(found).collect();
        level += 1;
    }
    distance
}

fn main() {
    let mut me = contender::Contender::new("bfs", 20, "");
    me.require(me.size <= 26, "--size is the binary logarithm of the number of vertices: at most 26");
    let pool = rayon_pool::pool(&me);
    let g = graph::make(me.size as u32);
    let source = source_of(&g);
    let expected = serial(&g, source);
    let is_right = |_: &(), distance: &Vec<AtomicU32>| distance.iter().map(|mark| mark.load(Relaxed)).eq(expected.iter().copied());
    me.measure_on(|| (), |_| pool.install(|| on_rayon(&g, source)), is_right);
    me.exit();
}
