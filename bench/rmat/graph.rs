//! What `graph.hpp` is to the C++ contenders: the same graph of the same numbers.

use crate::contender::SplitMix64;

pub struct Graph {
    first: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Graph {
    pub fn new(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let mut first = vec![0; vertices + 1];
        for &(from, _) in edges {
            first[from as usize + 1] += 1;
        }
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut neighbours = vec![0; edges.len()];
        let mut next = first.clone();
        for &(from, to) in edges {
            neighbours[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        let (mut kept, mut begin) = (0, 0);
        for v in 0..vertices {
            let end = first[v + 1];
            neighbours[begin..end].sort_unstable();
            first[v] = kept;
            for i in begin..end {
                let to = neighbours[i];
                if to as usize != v && (kept == first[v] || neighbours[kept - 1] != to) {
                    neighbours[kept] = to;
                    kept += 1;
                }
            }
            begin = end;
        }
        first[vertices] = kept;
        neighbours.truncate(kept);
        Graph { first, neighbours }
    }

    pub fn size(&self) -> usize {
        self.first.len() - 1
    }

    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.first[v as usize]..self.first[v as usize + 1]]
    }
}

fn scrambled(v: u32, scale: u32) -> u32 {
    let mask = (1u64 << scale) - 1;
    let mut x = (v as u64 * 0x9e3779b1 + 0x7ed55d16) & mask;
    x ^= x >> (scale / 2 + 1);
    (x * 0x85ebca6b & mask) as u32
}

fn random_edge(random: &mut SplitMix64, scale: u32) -> (u32, u32) {
    let (mut from, mut to) = (0, 0);
    for _ in 0..scale {
        let quarter = random.next() % 100;
        from = from << 1 | (quarter >= 76) as u32;
        to = to << 1 | ((57..76).contains(&quarter) || quarter >= 95) as u32;
    }
    (scrambled(from, scale), scrambled(to, scale))
}

/// Each edge in both directions; 2^scale vertices.
pub fn make(scale: u32) -> Graph {
    let mut random = SplitMix64(1);
    let mut edges = Vec::with_capacity(32 << scale);
    for _ in 0..16usize << scale {
        let (from, to) = random_edge(&mut random, scale);
        edges.push((from, to));
        edges.push((to, from));
    }
    Graph::new(1 << scale, &edges)
}
