// The recording, unpacked: lanes, jobs and steals.
import type { Data, Report } from "./data";
import { Depths } from "./depths";
import { Intervals, Vacancies } from "./details";
import { Lane, type Grid } from "./lane";
import { Column, Reader } from "./unpack";

/** Jobs by begin. */
export interface Jobs {
  begins: Float64Array;
  lengths: Float64Array;
  ended: Float64Array;
  stolen: Float64Array;
  /** Run at its own join or wait: the histogram is of the others. */
  inPlace: Float64Array;
  sites: Float64Array;
  /** Numbers of lanes. */
  workers: Float64Array;
}

/** By time; thief and victim as numbers of lanes, -1 for one that the recording does not list. */
export interface Steals {
  times: Float64Array;
  thieves: Float64Array;
  victims: Float64Array;
  sites: Float64Array;
  /** The number of the job that it brought; -1 if none is known. */
  brought: Float64Array;
}

export interface Recording {
  report: Report;
  grid: Grid;
  workers: { index: number; lane: Lane<Intervals>; lost: number; depths: Depths }[];
  free: Lane<Vacancies>;
  /** Null if there are too many for a page. */
  jobs: Jobs | null;
  steals: Steals;
}

function jobsOf(text: string): Jobs {
  const reader = new Reader(text);
  const columns = Array.from({ length: 7 }, () => new Column());
  for (let begin = 0; !reader.isEmpty;) {
    begin += reader.take();
    const length = reader.take(), code = reader.take(), worker = reader.take();
    [begin, length, code & 1, (code & 2) / 2, (code & 4) / 4, Math.floor(code / 8), worker].forEach((value, i) => columns[i].push(value));
  }
  const [begins, lengths, ended, stolen, inPlace, sites, workers] = columns.map((column) => column.done());
  return { begins, lengths, ended, stolen, inPlace, sites, workers };
}

function stealsOf(text: string, laneOf: Map<number, number>): Omit<Steals, "brought"> {
  const reader = new Reader(text);
  const columns = Array.from({ length: 4 }, () => new Column());
  for (let time = 0; !reader.isEmpty;) {
    time += reader.take();
    const thief = laneOf.get(reader.take()) ?? -1, victim = laneOf.get(reader.take()) ?? -1;
    [time, thief, victim, reader.take()].forEach((value, i) => columns[i].push(value));
  }
  const [times, thieves, victims, sites] = columns.map((column) => column.done());
  return { times, thieves, victims, sites };
}

/** The last steal of a thief before a stolen job began brought that job. */
function broughtBy({ times, thieves }: Omit<Steals, "brought">, jobs: Jobs | null): Float64Array {
  const made = new Float64Array(times.length).fill(-1);
  if (!jobs) return made;
  const wonLast = new Map<number, number>();
  for (let job = 0, steal = 0; job < jobs.begins.length; ++job) {
    for (; steal < times.length && times[steal] <= jobs.begins[job]; ++steal) wonLast.set(thieves[steal], steal);
    const won = jobs.stolen[job] ? wonLast.get(jobs.workers[job]) : undefined;
    if (won === undefined) continue;
    made[won] = job;
    wonLast.delete(jobs.workers[job]);
  }
  return made;
}

export function unpack(data: Data): Recording {
  const grid = { length_ns: data.report.length_ns, part_ns: data.part_ns, parts: data.parts };
  const workers = data.workers.map(({ index, lost, cells, intervals, most_takeable, takeable }) => ({
    index, lost, lane: Lane.unpack(grid, cells, intervals === null ? null : new Intervals(intervals)), depths: new Depths(grid, most_takeable, takeable),
  }));
  const laneOf = new Map(workers.map(({ index }, lane) => [index, lane]));
  const { cells, vacancies } = data.free;
  const jobs = data.jobs === null ? null : jobsOf(data.jobs), steals = stealsOf(data.steals, laneOf);
  return {
    report: data.report,
    grid,
    workers,
    free: Lane.unpack(grid, cells, vacancies === null ? null : new Vacancies(vacancies)),
    jobs,
    steals: { ...steals, brought: broughtBy(steals, jobs) },
  };
}
