#[path = "../harness/contender.rs"]
mod contender;
#[path = "../harness/rayon_pool.rs"]
mod rayon_pool;
#[path = "../sorting/sorting.rs"]
mod sorting;

use contender::{made_of_random, Contender};
use sorting::{insertion_sort, INSERTION_SIZE};

/// As in `problem.hpp`: Hoare's, around the median of three.
fn partition(values: &mut [u64]) -> usize {
    let (a, b, c) = (values[0], values[values.len() / 2], values[values.len() - 1]);
    let pivot = a.min(b).max(a.max(b).min(c));
    let (mut low, mut high) = (0, values.len() - 1);
    loop {
        while values[low] < pivot {
            low += 1;
        }
        while pivot < values[high] {
            high -= 1;
        }
        if low >= high {
            return low.max(1);
        }
        values.swap(low, high);
        low += 1;
        high -= 1;
    }
}

fn sort(values: &mut [u64]) {
    if values.len() <= INSERTION_SIZE {
        return insertion_sort(values);
    }
    let middle = partition(values);
    let (left, right) = values.split_at_mut(middle);
    rayon::join(|| sort(left), || sort(right));
}

fn main() {
    let mut me = Contender::new("quicksort", 10_000_000, "");
    let pool = rayon_pool::pool(&me);
    let input = made_of_random(me.size as usize, |number| number);
    let mut expected = input.clone();
    expected.sort_unstable();
    me.measure_on(|| input.clone(), |values| pool.install(|| sort(values)), |values, _| *values == expected);
    me.exit();
}
