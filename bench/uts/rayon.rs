#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

mod sha1;

use rayon::prelude::*;
use sha1::sha1_of_padded;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Binomial,
    Geometric,
    Hybrid,
}

#[derive(Clone, Copy)]
enum Shape {
    Linear,
    Cyclic,
    Fixed,
}

/// As in `problem.hpp`.
#[derive(Clone, Copy)]
struct Tree {
    kind: Kind,
    shape: Shape,
    root_branching: f64,
    depth_limit: i32,
    nonleaf_chance: f64,
    nonleaf_children: i32,
    seed: u32,
}

const FIXED: Tree =
    Tree { kind: Kind::Geometric, shape: Shape::Fixed, root_branching: 4.0, depth_limit: 10, nonleaf_chance: 0.0, nonleaf_children: 0, seed: 19 };

#[derive(Clone, Copy, Default, PartialEq)]
struct Tally {
    nodes: u64,
    leaves: u64,
    depth: i32,
}

fn added(a: Tally, b: Tally) -> Tally {
    Tally { nodes: a.nodes + b.nodes, leaves: a.leaves + b.leaves, depth: a.depth.max(b.depth) }
}

/// A sample tree and its published counts.
fn sample(name: &str) -> Option<(Tree, Tally)> {
    let (tree, (nodes, leaves, depth)) = match name {
        "T1" => (FIXED, (4130071, 3305118, 10)),
        "T2" => (Tree { shape: Shape::Cyclic, root_branching: 6.0, depth_limit: 16, seed: 502, ..FIXED }, (4117769, 2342762, 81)),
        "T3" => (
            Tree { kind: Kind::Binomial, root_branching: 2000.0, nonleaf_chance: 0.124875, nonleaf_children: 8, seed: 42, ..FIXED },
            (4112897, 3599034, 1572),
        ),
        "T4" => (
            Tree { kind: Kind::Hybrid, shape: Shape::Linear, root_branching: 6.0, depth_limit: 16, nonleaf_chance: 0.234375, nonleaf_children: 4, seed: 1 },
            (4132453, 3108986, 134),
        ),
        "T5" => (Tree { shape: Shape::Linear, depth_limit: 20, seed: 34, ..FIXED }, (4147582, 2181318, 20)),
        _ => return None,
    };
    Some((tree, Tally { nodes, leaves, depth }))
}

#[derive(Clone, Copy)]
struct Node {
    state: [u32; 5],
    depth: i32,
}

fn root(t: &Tree) -> Node {
    Node { state: sha1_of_padded([0, 0, 0, 0, t.seed, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160]), depth: 0 }
}

#[inline(never)]
fn child(parent: &Node, index: i32) -> Node {
    let s = &parent.state;
    let block = [s[0], s[1], s[2], s[3], s[4], index as u32, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 192];
    Node { state: sha1_of_padded(block), depth: parent.depth + 1 }
}

fn chance(n: &Node) -> f64 {
    (n.state[4] & 0x7fffffff) as f64 / 2147483648.0
}

fn mean_branching(t: &Tree, depth: i32) -> f64 {
    if depth == 0 {
        return t.root_branching;
    }
    let limit = t.depth_limit as f64;
    match t.shape {
        Shape::Cyclic if depth > 5 * t.depth_limit => 0.0,
        Shape::Cyclic => t.root_branching.powf((2.0 * std::f64::consts::PI * depth as f64 / limit).sin()),
        Shape::Fixed => if depth < t.depth_limit { t.root_branching } else { 0.0 },
        Shape::Linear => t.root_branching * (1.0 - depth as f64 / limit),
    }
}

#[inline(never)]
fn child_count(t: &Tree, n: &Node) -> i32 {
    let binomial = t.kind == Kind::Binomial || (t.kind == Kind::Hybrid && n.depth as f64 >= 0.5 * t.depth_limit as f64);
    if !binomial {
        let stop_chance = 1.0 / (1.0 + mean_branching(t, n.depth));
        return ((1.0 - chance(n)).ln() / (1.0 - stop_chance).ln()).floor().min(100.0) as i32;
    }
    if n.depth == 0 {
        return t.root_branching as i32;
    }
    if chance(n) < t.nonleaf_chance { t.nonleaf_children } else { 0 }
}

fn count(t: &Tree, n: Node) -> Tally {
    let children = child_count(t, &n);
    let own = Tally { nodes: 1, leaves: (children == 0) as u64, depth: n.depth };
    if children == 0 {
        return own;
    }
    added(own, (0..children).into_par_iter().map(|i| count(t, child(&n, i))).reduce(Tally::default, added))
}

fn main() {
    let mut me = contender::Contender::new("uts", 0, "T1");
    me.require(sha1::is_right(), "the hash is wrong");
    let found = sample(&me.variant);
    me.require(found.is_some(), "--case is T1, T2, T3, T4 or T5");
    let (tree, published) = found.unwrap();
    let pool = rayon_pool::pool(&me);
    me.measure_on(|| tree, |tree| pool.install(|| count(tree, root(tree))), |_, counted| *counted == published);
    me.exit();
}
