// How many jobs others could take from a worker, at the moments when a worker looked.
import type { Grid } from "./lane";
import { Column, firstAbove, Reader } from "./unpack";

/** Single looks, in order of time. */
interface Looks {
  times: Float64Array;
  jobs: Float64Array;
}

function looksOf(text: string): Looks {
  const reader = new Reader(text);
  const times = new Column(), jobs = new Column();
  for (let now = 0; !reader.isEmpty;) {
    times.push((now += reader.take()));
    jobs.push(reader.take());
  }
  return { times: times.done(), jobs: jobs.done() };
}

/** The depths of one worker. Everywhere 0 means no look; otherwise it is one more than the jobs seen. */
export class Depths {
  /** The most that was seen at any time. */
  readonly most: number;
  private readonly parts: Float64Array;
  private readonly looks: Looks | null;

  constructor(private readonly grid: Grid, parts: string, looks: string | null) {
    const reader = new Reader(parts);
    this.parts = Float64Array.from({ length: grid.parts }, () => reader.take());
    this.looks = looks === null ? null : looksOf(looks);
    this.most = this.parts.reduce((a, b) => Math.max(a, b), 0);
  }

  /** The most in each of `count` equal columns of a range. */
  columns(begin: number, end: number, count: number): Float64Array {
    const made = new Float64Array(count), { part_ns, parts } = this.grid, scale = count / (end - begin);
    const see = (time: number, value: number) => {
      const column = Math.max(0, Math.min(count - 1, ((time - begin) * scale) | 0));
      if (value > made[column]) made[column] = value;
    };
    if (this.looks && end - begin < count * part_ns) {
      this.forEachIn(begin, end, (time, jobs) => see(time, jobs + 1));
      return made;
    }
    const last = Math.min(parts, Math.ceil(end / part_ns));
    for (let part = Math.floor(begin / part_ns); part < last; ++part) see(part * part_ns, this.parts[part]);
    return made;
  }

  /** The most within a range. What is smaller than a part is told apart only if the page has single looks. */
  mostIn(begin: number, end: number): number {
    if (begin <= 0 && end >= this.grid.length_ns) return this.most;
    if (!this.looks) return this.columns(begin, end, 1)[0];
    let most = 0;
    this.forEachIn(begin, end, (_, jobs) => { if (jobs >= most) most = jobs + 1; });
    return most;
  }

  private forEachIn(begin: number, end: number, f: (time: number, jobs: number) => void): void {
    const { times, jobs } = this.looks!;
    for (let i = firstAbove(times, begin - 0.5); i < times.length && (times[i] < end || end >= this.grid.length_ns); ++i) f(times[i], jobs[i]);
  }
}
