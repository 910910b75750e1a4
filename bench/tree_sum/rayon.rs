#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;

use contender::{made_of_random, Contender};
use std::ptr::{null, read_volatile};
use std::time::{Duration, Instant};

/// As in `problem.hpp`; a leaf has null children.
#[derive(Clone, Copy)]
struct Node {
    value: u64,
    left: *const Node,
    right: *const Node,
}

/// A node of a tree that is only read, and outlives every sum.
#[derive(Clone, Copy)]
struct Root(*const Node);

unsafe impl Send for Root {}
unsafe impl Sync for Root {}

/// Makes a tree as balanced as can be of the nodes from `first` on, in the order of the walk.
fn link(nodes: &mut [Node], first: usize, count: usize) -> *const Node {
    if count == 0 {
        return null();
    }
    let left_count = count / 2;
    nodes[first].left = link(nodes, first + 1, left_count);
    nodes[first].right = link(nodes, first + 1 + left_count, count - 1 - left_count);
    &nodes[first]
}

/// Hangs a node where a binary search tree has it.
fn insert(nodes: &mut [Node], leaf: usize) {
    let (value, begin, new) = (nodes[leaf].value, nodes.as_ptr(), &nodes[leaf] as *const Node);
    let mut at = 0;
    loop {
        let node = &mut nodes[at];
        let side = if value < node.value { &mut node.left } else { &mut node.right };
        if side.is_null() {
            *side = new;
            return;
        }
        at = unsafe { side.offset_from(begin) } as usize;
    }
}

fn sum(root: Root) -> u64 {
    let node = unsafe { &*root.0 };
    let below = match (node.left.is_null(), node.right.is_null()) {
        (true, true) => 0,
        (true, false) => sum(Root(node.right)),
        (false, true) => sum(Root(node.left)),
        (false, false) => {
            let (left, right) = (Root(node.left), Root(node.right));
            let (left, right) = rayon::join(move || sum(left), move || sum(right));
            left.wrapping_add(right)
        }
    };
    node.value.wrapping_add(below)
}

/// Seconds of one sum, on average over so many, and what it gave.
fn seconds_of_one(root: Root, calls: u32) -> (f64, u64) {
    let start = Instant::now();
    let mut result = 0;
    for _ in 0..calls {
        result = sum(unsafe { read_volatile(&root) });
    }
    (start.elapsed().as_secs_f64() / calls as f64, result)
}

fn measure(me: &mut Contender, root: Root, spaced: bool, expected: u64) {
    let (calls, clocks) = if spaced { (1, 100) } else { (1 + 2_000_000 / me.size as u32, 3) };
    for _ in 0..me.repeat {
        let mut found = Vec::new();
        for _ in 0..clocks {
            if spaced {
                std::thread::sleep(Duration::from_millis(1));
            }
            found.push(seconds_of_one(root, calls));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        me.report(found[clocks / 2].0, found.iter().all(|&(_, result)| result == expected));
    }
}

fn main() {
    let mut me = Contender::new("tree_sum", 1000, "balanced");
    let (grown, spaced) = (me.variant.starts_with("grown"), me.variant.ends_with("-spaced"));
    let name = format!("{}{}", if grown { "grown" } else { "balanced" }, if spaced { "-spaced" } else { "" });
    me.require(me.variant == name, "--case must be balanced or grown, or one of them with -spaced appended");
    me.require(me.size > 0 && me.size < 1 << 32, "--size counts the nodes: at least 1, and it must fit 32 bits");
    let count = me.size as usize;
    let mut nodes = made_of_random(count, |value| Node { value, left: null(), right: null() });
    if grown {
        (1..count).for_each(|leaf| insert(&mut nodes, leaf));
    } else {
        link(&mut nodes, 0, count);
    }
    let expected = nodes.iter().fold(0u64, |total, node| total.wrapping_add(node.value));
    let root = Root(nodes.as_ptr());
    rayon_pool::pool(&me).install(|| measure(&mut me, root, spaced, expected));
    me.exit();
}
