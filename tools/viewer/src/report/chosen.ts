// Which jobs, steals and intervals of time are chosen, by site and by length.
import { OfSite, Within, type Details, type SiteDetails } from "./details";
import { Lane } from "./lane";
import type { Narrowing } from "./narrow";
import type { Jobs, Recording } from "./recording";

type Choice = Pick<Narrowing, "site" | "length">;

export const isOfJobs = ({ site, length }: Choice): boolean => site !== null || length !== null;

/** Lengths are chosen from the histogram: it has no job that was run in place, nor one that the recording ends before. */
export function isJobChosen(jobs: Jobs, { site, length }: Choice, job: number): boolean {
  if (site !== null && jobs.sites[job] !== site) return false;
  return length === null || (jobs.ended[job] === 1 && jobs.inPlace[job] === 0 && jobs.lengths[job] >= length[0] && jobs.lengths[job] < length[1]);
}

/** Whether a steal is of the worker, if one is chosen, and brought a job of the site and the length. */
export function isStealChosen({ jobs, steals }: Recording, { worker, site, length }: Narrowing, steal: number): boolean {
  const { thieves, victims, sites, brought } = steals;
  if (thieves[steal] < 0 || victims[steal] < 0) return false;
  if (worker !== null && worker !== thieves[steal] && worker !== victims[steal]) return false;
  if (site !== null && sites[steal] !== site) return false;
  return length === null || (jobs !== null && brought[steal] >= 0 && isJobChosen(jobs, { site, length }, brought[steal]));
}

/** The time of what is chosen, worker by worker. */
interface ChosenTime {
  /** Intervals of all sites, with the length asked for. */
  intervals: SiteDetails[];
  /** Lanes of the chosen site and length. */
  lanes: Lane[];
}

const kept = new WeakMap<Recording, Choice & { time: ChosenTime | null }>();

/** Null if the page has no single intervals. The last answer is kept, as it takes a look at all of them. */
function chosenTime(from: Recording, { site, length }: Choice): ChosenTime | null {
  const last = kept.get(from);
  if (last && last.site === site && last.length?.[0] === length?.[0] && last.length?.[1] === length?.[1]) return last.time;
  const time = timeOf(from, { site, length });
  kept.set(from, { site, length, time });
  return time;
}

export const chosenLanes = (from: Recording, choice: Choice): Lane[] | null => chosenTime(from, choice)?.lanes ?? null;

/** The time of jobs of a length, as intervals of any site, each of which knows its own. */
export function chosenIntervals(from: Recording, choice: Choice): (SiteDetails | null)[] {
  if (choice.length === null) return from.workers.map(({ lane }) => lane.details);
  return chosenTime(from, choice)?.intervals ?? [];
}

function timeOf(from: Recording, choice: Choice): ChosenTime | null {
  const ranges = choice.length === null ? null : rangesOf(from, choice);
  const intervals: SiteDetails[] = [];
  for (const [worker, { lane: { details } }] of from.workers.entries()) {
    if (!details) return null;
    intervals.push(ranges === null ? details : new Within(details, ranges[worker]));
  }
  const chosen = (each: SiteDetails): Details => (choice.site === null ? each : new OfSite(each, choice.site));
  return { intervals, lanes: intervals.map((each) => Lane.of(from.grid, chosen(each))) };
}

/** From when to when each worker was in a chosen job, once if one is within another: begin, end, begin, end. */
function rangesOf({ jobs, workers }: Recording, choice: Choice): number[][] {
  const made: number[][] = workers.map(() => []);
  if (!jobs) return made;
  for (let i = 0; i < jobs.begins.length; ++i) {
    if (!isJobChosen(jobs, choice, i)) continue;
    const of = made[jobs.workers[i]], begin = jobs.begins[i], end = begin + jobs.lengths[i];
    if (of.length > 0 && begin <= of[of.length - 1]) of[of.length - 1] = Math.max(of[of.length - 1], end);
    else of.push(begin, end);
  }
  return made;
}
