// What is said of a part of the recording: of a range of time, a worker, a site, jobs of some length, or all of these.
import { chosenLanes, chosenIntervals, isJobChosen, isOfJobs, isStealChosen } from "./chosen";
import type { Durations } from "./data";
import { forEachIn, isUse, occupationCount } from "./details";
import type { Lane } from "./lane";
import type { Recording } from "./recording";
import { firstAbove } from "./unpack";

export interface Narrowing {
  range: [number, number] | null;
  /** Number of a lane. */
  worker: number | null;
  /** Place in the table of sites, counted from one. */
  site: number | null;
  /** Nanoseconds from begin to end of a job: at least the first, less than the second. */
  length: [number, number] | null;
}

export const everything: Narrowing = { range: null, worker: null, site: null, length: null };
export const isNarrowed = (narrowing: Narrowing): boolean => Object.values(narrowing).some((each) => each !== null);

export interface SiteFigures {
  jobs: number;
  stolen: number;
  work_ns: number;
  median_ns: number | null;
}

export interface Figures {
  /** Nanoseconds by occupation. Of all slots there are uses alone; of a worker everything it did. */
  spent: Float64Array;
  total: number;
  /** The length of the range of time. */
  length: number;
  /** By thief and victim, as numbers of lanes. */
  matrix: number[][];
  jobs: Durations["histogram"];
  jobCount: number;
  sites: SiteFigures[] | null;
}

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

function rangeOf(from: Recording, { range }: Narrowing): [number, number] {
  return range ?? [0, from.grid.length_ns];
}

/** The time spent by occupation. Quick, whatever the number of events. */
export function spentIn(from: Recording, narrowing: Narrowing): Float64Array {
  const made = new Float64Array(occupationCount);
  const ofPool = narrowing.worker === null && !isOfJobs(narrowing);
  const accounts = accountsIn(from, narrowing);
  for (const account of ofPool ? [...accounts, from.free.account(...rangeOf(from, narrowing))] : accounts) {
    account.forEach((ns, o) => { if (!ofPool || isUse(o)) made[o] += ns; });
  }
  return made;
}

/** The shortest range, in parts of the recording, that holds half of the time of an occupation. */
export function whereMostLies(from: Recording, narrowing: Narrowing, occupation: number): [number, number] {
  const [begin, end] = rangeOf(from, narrowing);
  const parts = 512, step = (end - begin) / parts;
  const before = [0];
  for (let part = 0; part < parts; ++part) {
    before.push(before[part] + spentIn(from, { ...narrowing, range: [begin + part * step, begin + (part + 1) * step] })[occupation]);
  }
  const half = before[parts] / 2;
  let [first, last] = [0, parts];
  for (let a = 0, b = 0; a < parts; ++a) {
    while (b < parts && before[b] - before[a] < half) ++b;
    if (before[b] - before[a] < half) break;
    if (b - a < last - first) [first, last] = [a, b];
  }
  return [begin + first * step, begin + last * step];
}

/** From when one worker first took a job from another until the end of the last that it took, if that is known. */
export function whenTaken({ steals, jobs }: Recording, thief: number, victim: number): [number, number] | null {
  let range: [number, number] | null = null;
  steals.times.forEach((time, i) => {
    if (steals.thieves[i] !== thief || steals.victims[i] !== victim) return;
    const job = steals.brought[i], end = jobs && job >= 0 ? jobs.begins[job] + jobs.lengths[job] : time + 1;
    range = range === null ? [time, end] : [range[0], Math.max(range[1], end)];
  });
  return range;
}

/** From one steal until the end of the job that it brought, and its thief. */
export function ofSteal({ steals, jobs, grid }: Recording, steal: number): Pick<Narrowing, "range" | "worker"> {
  const begin = steals.times[steal], job = steals.brought[steal];
  const end = jobs && job >= 0 ? jobs.begins[job] + jobs.lengths[job] : begin + 1;
  return { range: [begin, Math.min(Math.max(end, begin + 1), grid.length_ns)], worker: steals.thieves[steal] };
}

/** What each worker did in a range of time, as far as it is chosen. */
export function accountsIn(from: Recording, narrowing: Narrowing): Float64Array[] {
  const [begin, end] = rangeOf(from, narrowing);
  const lanes: Lane[] = isOfJobs(narrowing) ? (chosenLanes(from, narrowing) ?? []) : from.workers.map(({ lane }) => lane);
  return from.workers.map((_, worker) =>
    lanes[worker] && (narrowing.worker === null || narrowing.worker === worker) ? lanes[worker].account(begin, end) : new Float64Array(occupationCount));
}

function matrixOf(from: Recording, narrowing: Narrowing): number[][] {
  const [begin, end] = rangeOf(from, narrowing);
  const { times, thieves, victims } = from.steals;
  const made = from.workers.map(() => from.workers.map(() => 0));
  const last = end >= from.grid.length_ns ? times.length : firstAbove(times, end - 0.5);
  for (let i = firstAbove(times, begin - 0.5); i < last; ++i) {
    if (isStealChosen(from, narrowing, i)) ++made[thieves[i]][victims[i]];
  }
  return made;
}

/** The same of the whole run, as the report has it. */
export function wholeMatrix(from: Recording): number[][] {
  const laneOf = new Map(from.workers.map(({ index }, lane) => [index, lane]));
  const made = from.workers.map(() => from.workers.map(() => 0));
  for (const { thief, victim, count } of from.report.summary.steal_matrix) {
    const [row, column] = [laneOf.get(thief), laneOf.get(victim)];
    if (row !== undefined && column !== undefined) made[row][column] += count;
  }
  return made;
}

/** The lengths that a bar of the histogram stands for. */
export const lengthsFrom = (from_ns: number): [number, number] => [from_ns, Math.max(2, 2 * from_ns)];

/** Powers of two, the first of which holds 0 as well. */
const bucketOf = (ns: number): number => (ns < 2 ? 0 : Math.floor(Math.log2(ns)));

/** Jobs that began in the range, and the work done there by site. */
function jobFigures(from: Recording, narrowing: Narrowing): Pick<Figures, "jobs" | "jobCount" | "sites"> {
  const counts = new Map<number, number>();
  const sites: SiteFigures[] = from.report.sites.map(() => ({ jobs: 0, stolen: 0, work_ns: 0, median_ns: null }));
  const lengths: number[][] = sites.map(() => []);
  if (!from.jobs) return { jobs: [], jobCount: 0, sites: null };
  const { begins, lengths: all, ended, stolen, inPlace, sites: of, workers } = from.jobs;
  const [begin, end] = rangeOf(from, narrowing);
  const last = end >= from.grid.length_ns ? begins.length : firstAbove(begins, end - 0.5);
  let jobCount = 0;
  for (let i = firstAbove(begins, begin - 0.5); i < last; ++i) {
    if (narrowing.worker !== null && workers[i] !== narrowing.worker) continue;
    if (!isJobChosen(from.jobs, narrowing, i)) continue;
    const site = sites[of[i] - 1];
    if (site) site.jobs++, (site.stolen += stolen[i]);
    if (!ended[i]) continue;
    if (site) lengths[of[i] - 1].push(all[i]);
    if (inPlace[i]) continue;
    ++jobCount;
    counts.set(bucketOf(all[i]), (counts.get(bucketOf(all[i])) ?? 0) + 1);
  }
  sites.forEach((site, i) => (site.median_ns = medianOf(lengths[i])));
  addWork(from, narrowing, sites);
  const jobs = [...counts].sort(([a], [b]) => a - b).map(([bucket, count]) => ({ from_ns: bucket === 0 ? 0 : 2 ** bucket, count }));
  return { jobs, jobCount, sites };
}

/** The least of which at least half are no longer, as `span::durations` has it. */
function medianOf(lengths: number[]): number | null {
  if (lengths.length === 0) return null;
  return Float64Array.from(lengths).sort()[Math.ceil(lengths.length / 2) - 1];
}

function addWork(from: Recording, narrowing: Narrowing, sites: SiteFigures[]): void {
  const [begin, end] = rangeOf(from, narrowing);
  const spent = new Float64Array(occupationCount);
  chosenIntervals(from, narrowing).forEach((intervals, worker) => {
    if (!intervals || (narrowing.worker !== null && narrowing.worker !== worker)) return;
    forEachIn(intervals, begin, end, (i, a, b) => {
      const site = intervals.site(i);
      if (!intervals.isWork(i) || site === 0 || (narrowing.site !== null && site !== narrowing.site)) return;
      spent[0] = 0;
      intervals.add(i, b - a, spent);
      sites[site - 1].work_ns += spent[0];
    });
  });
}

export function figuresOf(from: Recording, narrowing: Narrowing): Figures {
  const spent = spentIn(from, narrowing), [begin, end] = rangeOf(from, narrowing);
  return { spent, total: sum(spent), length: end - begin, matrix: matrixOf(from, narrowing), ...jobFigures(from, narrowing) };
}
