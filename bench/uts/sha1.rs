//! What `sha1.hpp` is to the C++ contenders: one compression of a block that the caller has padded, by the processor's instructions if it has them.

const START: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// FIPS 180-4, 4.1.1 and 4.2.1: the logical function of a round and its constant.
#[inline(always)]
fn mix(round: usize, b: u32, c: u32, d: u32) -> u32 {
    match round / 20 {
        0 => (d ^ (b & (c ^ d))).wrapping_add(0x5a827999),
        1 => (b ^ c ^ d).wrapping_add(0x6ed9eba1),
        2 => ((b & c) | (d & (b | c))).wrapping_add(0x8f1bbcdc),
        _ => (b ^ c ^ d).wrapping_add(0xca62c1d6),
    }
}

/// Instead of moving five variables along, the round number says which is which.
#[inline(always)]
fn round(v: &mut [u32; 5], w: &mut [u32; 16], number: usize) {
    let a = (80 - number) % 5;
    if number >= 16 {
        let x = w[(number + 13) % 16] ^ w[(number + 8) % 16] ^ w[(number + 2) % 16] ^ w[number % 16];
        w[number % 16] = x.rotate_left(1);
    }
    let mixed = mix(number, v[(a + 1) % 5], v[(a + 2) % 5], v[(a + 3) % 5]);
    v[(a + 4) % 5] = v[(a + 4) % 5].wrapping_add(v[a].rotate_left(5)).wrapping_add(mixed).wrapping_add(w[number % 16]);
    v[(a + 1) % 5] = v[(a + 1) % 5].rotate_left(30);
}

/// Twenty rounds, written out so that the numbers are known to the compiler.
macro_rules! rounds {
    ($v:expr, $w:expr, $first:expr, $($offset:expr)*) => { $(round($v, $w, $first + $offset);)* };
}

fn on_any_processor(mut block: [u32; 16]) -> [u32; 5] {
    let mut v = START;
    rounds!(&mut v, &mut block, 0, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 20, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 40, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    rounds!(&mut v, &mut block, 60, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    for (word, start) in v.iter_mut().zip(START) {
        *word = word.wrapping_add(start);
    }
    v
}

/// As in `sha1_x86.hpp`: four rounds an instruction, the first word of anything in the highest lane.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    pub fn is_here() -> bool {
        is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1")
    }

    macro_rules! rounds {
        ($abcd:expr, $before:expr, $w:expr, $function:literal, $($group:literal)*) => { $(
            if $group >= 4 {
                let sum = _mm_xor_si128(_mm_sha1msg1_epu32($w[$group % 4], $w[($group + 1) % 4]), $w[($group + 2) % 4]);
                $w[$group % 4] = _mm_sha1msg2_epu32(sum, $w[($group + 3) % 4]);
            }
            let e_and_words = if $group == 0 { _mm_add_epi32($before, $w[0]) } else { _mm_sha1nexte_epu32($before, $w[$group % 4]) };
            $before = $abcd;
            $abcd = _mm_sha1rnds4_epu32::<$function>($abcd, e_and_words);
        )* };
    }

    #[target_feature(enable = "sha,sse4.1")]
    unsafe fn load(four: &[u32]) -> __m128i {
        _mm_shuffle_epi32::<0x1b>(_mm_loadu_si128(four.as_ptr().cast()))
    }

    #[target_feature(enable = "sha,sse4.1")]
    pub unsafe fn sha1_of_padded(block: [u32; 16], start: [u32; 5]) -> [u32; 5] {
        let (first, e) = (load(&start[..4]), _mm_set_epi32(start[4] as i32, 0, 0, 0));
        let mut w = [load(&block[..4]), load(&block[4..8]), load(&block[8..12]), load(&block[12..])];
        let (mut abcd, mut before) = (first, e);
        rounds!(abcd, before, w, 0, 0 1 2 3 4);
        rounds!(abcd, before, w, 1, 5 6 7 8 9);
        rounds!(abcd, before, w, 2, 10 11 12 13 14);
        rounds!(abcd, before, w, 3, 15 16 17 18 19);
        let mut hash = [0; 5];
        _mm_storeu_si128(hash.as_mut_ptr().cast(), _mm_shuffle_epi32::<0x1b>(_mm_add_epi32(abcd, first)));
        hash[4] = _mm_extract_epi32::<3>(_mm_sha1nexte_epu32(before, e)) as u32;
        hash
    }
}

pub fn sha1_of_padded(block: [u32; 16]) -> [u32; 5] {
    #[cfg(target_arch = "x86_64")]
    if x86::is_here() {
        return unsafe { x86::sha1_of_padded(block, START) };
    }
    on_any_processor(block)
}

/// Whether both ways make of "abc" what FIPS 180-4 says.
pub fn is_right() -> bool {
    let abc = [0x61626380, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24];
    [sha1_of_padded(abc), on_any_processor(abc)].iter().all(|hash| *hash == [0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d])
}
