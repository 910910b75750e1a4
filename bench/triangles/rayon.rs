#[path = "../harness/contender.rs"]
mod contender;
#[path = "../rmat/graph.rs"]
mod graph;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use graph::Graph;
use rayon::prelude::*;

/// As in `problem.hpp`: each edge once, to the end with more neighbors.
fn oriented(g: &Graph) -> Graph {
    let mut by_degree: Vec<u32> = (0..g.size() as u32).collect();
    by_degree.sort_by_key(|&v| (g.neighbours(v).len(), v));
    let mut place = vec![0; g.size()];
    for (i, &v) in by_degree.iter().enumerate() {
        place[v as usize] = i as u32;
    }
    let mut edges = Vec::new();
    for v in 0..g.size() as u32 {
        let from = place[v as usize];
        edges.extend(g.neighbours(v).iter().map(|&to| (from, place[to as usize])).filter(|&(from, to)| from < to));
    }
    Graph::new(g.size(), &edges)
}

fn common(a: &[u32], b: &[u32]) -> u64 {
    let (mut count, mut i, mut j) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (left, right) = (a[i], b[j]);
        count += (left == right) as u64;
        i += (left <= right) as usize;
        j += (right <= left) as usize;
    }
    count
}

fn triangles_at(g: &Graph, v: u32) -> u64 {
    g.neighbours(v).iter().map(|&to| common(g.neighbours(v), g.neighbours(to))).sum()
}

fn by_marks(g: &Graph) -> u64 {
    let mut marked_by = vec![u32::MAX; g.size()];
    let mut count = 0;
    for v in 0..g.size() as u32 {
        g.neighbours(v).iter().for_each(|&to| marked_by[to as usize] = v);
        for &to in g.neighbours(v) {
            count += g.neighbours(to).iter().filter(|&&third| marked_by[third as usize] == v).count() as u64;
        }
    }
    count
}

fn main() {
    let mut me = contender::Contender::new("triangles", 17, "");
    me.require(me.size <= 26, "--size is the binary logarithm of the number of vertices: at most 26");
    let pool = rayon_pool::pool(&me);
    let g = oriented(&graph::make(me.size as u32));
    let expected = by_marks(&g);
    me.measure(|| pool.install(|| (0..g.size() as u32).into_par_iter().map(|v| triangles_at(&g, v)).sum()), expected);
    me.exit();
}
