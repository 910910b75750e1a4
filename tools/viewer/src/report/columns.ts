// What a lane shows: one column of pixels beside the other.
import { occupationCount } from "./details";

/**
 * The time by occupation in each of `count` equal columns of a range: that of occupation o in column x is `ns[o * count + x]`. Made once for
 * one lane after the other, and what a lane never does costs nothing.
 */
export class Columns {
  readonly ns: Float64Array;
  /** The occupations that may be there; what `ns` has of others is of lanes before. */
  present: readonly number[] = [];

  constructor(readonly count: number) {
    this.ns = new Float64Array(count * occupationCount);
  }

  /** Nothing yet, and `present` may come. */
  clear(present: readonly number[]): this {
    this.present = present;
    for (const o of present) this.of(o).fill(0);
    return this;
  }

  of(occupation: number): Float64Array {
    return this.ns.subarray(occupation * this.count, (occupation + 1) * this.count);
  }

  /** Adds those of another lane, as far as they are of what is present here. */
  add(other: Columns): void {
    for (const o of other.present) {
      if (!this.present.includes(o)) continue;
      const own = this.of(o), more = other.of(o);
      for (let x = 0; x < own.length; ++x) own[x] += more[x];
    }
  }
}
