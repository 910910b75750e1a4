#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;
#[path = "../sorting/sorting.rs"]
mod sorting;

use contender::{made_of_random, Contender};
use sorting::{insertion_sort, INSERTION_SIZE};

/// Below this a plain merge is quicker than two searches and a fork.
const PLAIN_MERGE_SIZE: usize = 4096;

fn merge_plainly(left: &[u64], right: &[u64], out: &mut [u64]) {
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        if right[r] < left[l] {
            out[l + r] = right[r];
            r += 1;
        } else {
            out[l + r] = left[l];
            l += 1;
        }
    }
    out[l + r..].copy_from_slice(if l < left.len() { &left[l..] } else { &right[r..] });
}

/// As in `problem.hpp`: what lies before a value of the longer run in both makes one half of `out`.
fn merge(left: &[u64], right: &[u64], out: &mut [u64]) {
    if out.len() <= PLAIN_MERGE_SIZE {
        return merge_plainly(left, right, out);
    }
    let (mut l, mut r) = (left.len() / 2, right.len() / 2);
    if left.len() >= right.len() {
        r = right.partition_point(|&value| value < left[l]);
    } else {
        l = left.partition_point(|&value| value <= right[r]);
    }
    let ((left1, left2), (right1, right2), (out1, out2)) = (left.split_at(l), right.split_at(r), out.split_at_mut(l + r));
    rayon::join(|| merge(left1, right1, out1), || merge(left2, right2, out2));
}

/// Sorts `target`; `source` must hold the same values and is used up.
fn sort_into(target: &mut [u64], source: &mut [u64]) {
    if target.len() <= INSERTION_SIZE {
        return insertion_sort(target);
    }
    let middle = target.len() / 2;
    let ((target1, target2), (source1, source2)) = (target.split_at_mut(middle), source.split_at_mut(middle));
    rayon::join(|| sort_into(source1, target1), || sort_into(source2, target2));
    merge(source1, source2, target);
}

fn sort(values: &mut [u64]) {
    let mut copy = values.to_vec();
    sort_into(values, &mut copy);
}

fn main() {
    let mut me = Contender::new("mergesort", 10_000_000, "");
    let pool = rayon_pool::pool(&me);
    let input = made_of_random(me.size as usize, |number| number);
    let mut expected = input.clone();
    expected.sort_unstable();
    me.measure_on(|| input.clone(), |values| pool.install(|| sort(values)), |values, _| *values == expected);
    me.exit();
}
