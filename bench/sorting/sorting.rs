//! What `problem.hpp` is to the C++ contenders.

/// Below this an insertion sort wins over any recursion.
pub const INSERTION_SIZE: usize = 24;

pub fn insertion_sort(values: &mut [u64]) {
    for i in 1..values.len() {
        let value = values[i];
        let mut gap = i;
        while gap > 0 && value < values[gap - 1] {
            values[gap] = values[gap - 1];
            gap -= 1;
        }
        values[gap] = value;
    }
}
