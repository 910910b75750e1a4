// A row of the timeline: what became of its time, at any magnification.
import type { Columns } from "./columns";
import { forEachIn, occupationCount, type Details } from "./details";
import { firstAbove, Reader } from "./unpack";

/** Equal parts of the recording; the last one may be shorter. */
export interface Grid {
  length_ns: number;
  part_ns: number;
  parts: number;
}

/**
 * The program has divided the lane into parts; sums of them from the beginning on give any range of parts with one subtraction, so every
 * level of detail costs the same. What is smaller than a part is seen in the details, if the page has them.
 */
export class Lane<D extends Details = Details> {
  /** The occupations that occur. */
  private readonly present: number[];

  /** `sums[o][p]` is the time before part p; null of an occupation that never occurs. */
  private constructor(private readonly grid: Grid, private readonly sums: (Float64Array | null)[], readonly details: D | null) {
    this.present = sums.flatMap((of, o) => (of ? [o] : []));
    for (const of of sums) {
      if (of) for (let part = 0; part < grid.parts; ++part) of[part + 1] += of[part];
    }
  }

  static unpack<D extends Details>(grid: Grid, cells: string, details: D | null): Lane<D> {
    const made: (Float64Array | null)[] = new Array(occupationCount).fill(null);
    const reader = new Reader(cells);
    for (let part = 0; part < grid.parts; ++part) {
      const present = reader.take();
      for (let o = 0; o < occupationCount; ++o) {
        if (present & (1 << o)) (made[o] ??= new Float64Array(grid.parts + 1))[part + 1] = reader.take();
      }
    }
    return new Lane(grid, made, details);
  }

  /** A lane of single intervals, without a grid made before. */
  static of<D extends Details>(grid: Grid, details: D): Lane<D> {
    const made: (Float64Array | null)[] = new Array(occupationCount).fill(null);
    const cell = new Float64Array(occupationCount);
    const book = (part: number) => cell.forEach((ns, o) => { if (ns !== 0) ((made[o] ??= new Float64Array(grid.parts + 1))[part + 1] += ns), (cell[o] = 0); });
    forEachIn(details, 0, grid.length_ns, (index, from, to) => {
      for (let part = Math.floor(from / grid.part_ns); part * grid.part_ns < to; ++part) {
        details.add(index, Math.min(to, (part + 1) * grid.part_ns) - Math.max(from, part * grid.part_ns), cell);
        book(part);
      }
    });
    return new Lane(grid, made, details);
  }

  /** The time by occupation within a range. */
  account(begin: number, end: number): Float64Array {
    const made = new Float64Array(occupationCount);
    const { part_ns } = this.grid;
    const first = Math.ceil(begin / part_ns), last = this.lastPartBefore(end);
    if (first >= last) {
      this.addClosely(begin, end, made);
      return made;
    }
    this.sums.forEach((sums, o) => { if (sums) made[o] = sums[last] - sums[first]; });
    this.addClosely(begin, first * part_ns, made);
    this.addClosely(last * part_ns, end, made);
    return made;
  }

  /** Has `made` be the same for equal columns of a range. */
  columns(begin: number, end: number, made: Columns): Columns {
    made.clear(this.present);
    if (this.details && end - begin < made.count * this.grid.part_ns) this.addDetails(begin, end, made);
    else this.addSums(begin, end, made);
    return made;
  }

  private lastPartBefore(end: number): number {
    return end >= this.grid.length_ns ? this.grid.parts : Math.floor(end / this.grid.part_ns);
  }

  private addSums(begin: number, end: number, { count, ns }: Columns): void {
    const step = (end - begin) / count, { present } = this;
    const before = this.sums.map((sums) => (sums ? this.timeBefore(sums, begin) : 0));
    for (let column = 0; column < count; ++column) {
      const { part, share } = this.placeOf(begin + (column + 1) * step);
      for (let i = 0; i < present.length; ++i) {
        const o = present[i], sums = this.sums[o]!;
        const now = sums[part] + share * (sums[part + 1] - sums[part]);
        ns[o * count + column] = now - before[o];
        before[o] = now;
      }
    }
  }

  private addDetails(begin: number, end: number, { count, ns }: Columns): void {
    const step = (end - begin) / count, details = this.details!, { ends } = details;
    let column = 0, columnEnd = begin + step;
    for (let i = firstAbove(ends, begin), from = begin; i < ends.length && from < end; ++i) {
      const to = Math.min(ends[i], end);
      for (; to > columnEnd && column + 1 < count; columnEnd = begin + (++column + 1) * step) {
        details.add(i, columnEnd - from, ns, column, count);
        from = columnEnd;
      }
      if (to > from) details.add(i, to - from, ns, column, count);
      from = to;
    }
  }

  /** For less than a part at each end: exact with details, else as if everything in a part were spread evenly. */
  private addClosely(begin: number, end: number, into: Float64Array): void {
    if (begin >= end) return;
    if (this.details) forEachIn(this.details, begin, end, (index, from, to) => this.details!.add(index, to - from, into));
    else this.sums.forEach((sums, o) => { if (sums) into[o] += this.timeBefore(sums, end) - this.timeBefore(sums, begin); });
  }

  private timeBefore(sums: Float64Array, time: number): number {
    const { part, share } = this.placeOf(time);
    return sums[part] + share * (sums[part + 1] - sums[part]);
  }

  /** In which part a time lies, and how much of that is before it. */
  private placeOf(time: number): { part: number; share: number } {
    const { parts, part_ns, length_ns } = this.grid;
    const part = Math.min(Math.max(Math.floor(time / part_ns), 0), parts - 1);
    const width = Math.min(part_ns, length_ns - part * part_ns);
    return { part, share: Math.min(Math.max((time - part * part_ns) / width, 0), 1) };
  }
}
