// What a lane is made of seen closely: single intervals of time.
import { Column, firstAbove, Reader } from "./unpack";

/** Intervals of time without gaps. */
export interface Details {
  /** Where each ends; the next one begins there. */
  ends: Float64Array;
  /** Adds what the interval has in `length` ns of it: that of occupation o to `into[first + o * apart]`. */
  add(index: number, length: number, into: Float64Array, first?: number, apart?: number): void;
}

/** The intervals of a worker, which know their sites. */
export interface SiteDetails extends Details {
  /** A place in the table of sites, counted from one; 0 is none. */
  site(index: number): number;
  isWork(index: number): boolean;
}

export const occupationCount = 15;
const forking = 1;
export const runDelay = 6;
export const blocked = 5;
/** Occupations below are uses of a slot, which the account of the pool has. */
export const useCount = 10;
const neglected = 7, starved = 8, unknown = 9;

/** The intervals of one worker. */
export class Intervals implements SiteDetails {
  readonly ends: Float64Array;
  private readonly codes: Float64Array;
  /** For each interval the place in `shares` of its run delay, sleep and forks, three shares of it; 0: it has none. */
  private readonly carved: Float64Array;
  private readonly shares: Float64Array;

  constructor(text: string) {
    const reader = new Reader(text);
    const ends = new Column(), codes = new Column(), carved = new Column(), shares = new Column();
    shares.push(0);  // nothing is at 0
    for (let now = 0; !reader.isEmpty;) {
      const length = reader.take(), code = reader.take();
      carved.push(code & 16 ? shares.length : 0);
      for (let i = 0; code & 16 && i < 3; ++i) shares.push(reader.take() / length);
      ends.push((now += length));
      codes.push(code);
    }
    this.ends = ends.done();
    this.codes = codes.done();
    this.carved = carved.done();
    this.shares = shares.done();
  }

  begin(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1];
  }
  /** The interval at a time; the last one behind the end. */
  at(time: number): number {
    return Math.min(firstAbove(this.ends, time), this.ends.length - 1);
  }
  occupation(index: number): number {
    return this.codes[index] & 15;
  }
  site(index: number): number {
    return Math.floor(this.codes[index] / 32);
  }
  isWork(index: number): boolean {
    return this.occupation(index) === 0;
  }
  add(index: number, length: number, into: Float64Array, first = 0, apart = 1): void {
    const own = first + this.occupation(index) * apart, at = this.carved[index];
    if (at === 0) {
      into[own] += length;
      return;
    }
    const delay = this.shares[at], sleep = this.shares[at + 1], forks = this.shares[at + 2];
    into[own] += length * (1 - delay - sleep - forks);
    into[first + forking * apart] += length * forks;
    into[first + runDelay * apart] += length * delay;
    into[first + blocked * apart] += length * sleep;
  }
}

/** The parts of a worker's intervals that lie within ranges of time, which ascend and lie apart, begin and end in turn. */
export class Within implements SiteDetails {
  readonly ends: Float64Array;
  /** Of which of the worker's intervals each is a part; none for what lies between the ranges. */
  private readonly intervals: Float64Array;

  constructor(private readonly all: Intervals, ranges: number[]) {
    const ends = new Column(), intervals = new Column();
    const put = (interval: number, end: number) => { ends.push(end); intervals.push(interval); };
    for (let i = 0; i < ranges.length; i += 2) {
      put(noInterval, ranges[i]);
      forEachIn(all, ranges[i], ranges[i + 1], (interval, _, end) => put(interval, end));
    }
    this.ends = ends.done();
    this.intervals = intervals.done();
  }

  site(index: number): number {
    return this.intervals[index] === noInterval ? 0 : this.all.site(this.intervals[index]);
  }
  isWork(index: number): boolean {
    return this.intervals[index] !== noInterval && this.all.isWork(this.intervals[index]);
  }
  add(index: number, length: number, into: Float64Array, first = 0, apart = 1): void {
    if (this.intervals[index] !== noInterval) this.all.add(this.intervals[index], length, into, first, apart);
  }
}
const noInterval = -1;

/** The intervals of a worker that belong to a site. */
export class OfSite implements Details {
  readonly ends: Float64Array;
  constructor(private readonly all: SiteDetails, private readonly site: number) {
    this.ends = all.ends;
  }
  add(index: number, length: number, into: Float64Array, first = 0, apart = 1): void {
    if (this.all.site(index) === this.site) this.all.add(index, length, into, first, apart);
  }
}

/** Slots that no worker held. */
export class Vacancies implements Details {
  readonly ends: Float64Array;
  private readonly counts: Float64Array;

  constructor(text: string) {
    const reader = new Reader(text);
    const ends = new Column(), counts = new Column();
    for (let now = 0; !reader.isEmpty;) {
      ends.push((now += reader.take()));
      for (let i = 0; i < 3; ++i) counts.push(reader.take());
    }
    this.ends = ends.done();
    this.counts = counts.done();
  }

  add(index: number, length: number, into: Float64Array, first = 0, apart = 1): void {
    into[first + neglected * apart] += length * this.counts[3 * index];
    into[first + starved * apart] += length * this.counts[3 * index + 1];
    into[first + unknown * apart] += length * this.counts[3 * index + 2];
  }
}

/** Calls `f(index, begin, end)` for each interval that reaches into the range, cut to it. */
export function forEachIn(details: Details, begin: number, end: number, f: (index: number, begin: number, end: number) => void): void {
  const { ends } = details;
  for (let i = firstAbove(ends, begin), from = begin; i < ends.length && from < end; from = ends[i++]) f(i, from, Math.min(ends[i], end));
}

export const isUse = (occupation: number): boolean => occupation < useCount;
