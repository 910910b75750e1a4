// How long the jobs of watched code took, site by site: bars for a row of a table, and a table of their figures.
import type { Durations, WatchedSite } from "./data";
import { lengthsFrom } from "./narrow";
import { countText, durationText, lengthText, nounText } from "../shared/text";

/** The least that counts as of this class (filch/event/duration_histogram.hpp). */
const beginOf = (index: number): number => (index === 0 ? 0 : 2 ** (index - 1));

/** The classes from the shortest to the longest job of all sites: one scale for all of their bars. */
export function classesOf(sites: WatchedSite[]): number[] {
  const used = sites.flatMap(({ jobs_by_log2_ns }) => jobs_by_log2_ns.flatMap((count, index) => (count > 0 ? [index] : [])));
  if (used.length === 0) return [];
  const first = used.reduce((a, b) => Math.min(a, b)), last = used.reduce((a, b) => Math.max(a, b));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

const countIn = (site: WatchedSite, index: number): number => site.jobs_by_log2_ns[index] ?? 0;

/** The histogram of all sites together. */
export function watchedJobs(sites: WatchedSite[]): Durations["histogram"] {
  const counts = classesOf(sites).map((index) => ({ from_ns: beginOf(index), count: sites.reduce((sum, site) => sum + countIn(site, index), 0) }));
  return counts.filter(({ count }) => count > 0);
}

/** A bar for each class, as high as the logarithm of its count: a long job is as rare as it matters. */
export function LengthBars({ site, classes }: { site: WatchedSite; classes: number[] }) {
  const counts = classes.map((index) => countIn(site, index));
  const height = (count: number) => Math.log2(1 + count) / Math.log2(1 + Math.max(...counts));
  if (counts.every((count) => count === 0)) return <>–</>;
  return (
    <>
      <span class="lengths" aria-hidden="true">
        {classes.map((index, i) => <i key={index} data-empty={counts[i] === 0} title={`${lengthText(lengthsFrom(beginOf(index)))}: ${countText(counts[i])}`} style={{ height: `${100 * height(counts[i])}%` }} />)}
      </span>
      <span class="only-heard">{nounText(counts.reduce((a, b) => a + b, 0), "jobs")}, in figures below</span>
    </>
  );
}

export function LengthFigures({ sites, classes }: { sites: WatchedSite[]; classes: number[] }) {
  return (
    <details class="twin">
      <summary>How long jobs took, in figures</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="How long jobs took, in figures">
        <table class="sites">
          <thead><tr><th scope="col">At least</th>{classes.map((index) => <th key={index} scope="col">{durationText(beginOf(index))}</th>)}</tr></thead>
          <tbody>
            {sites.filter(({ jobs_by_log2_ns }) => jobs_by_log2_ns.length > 0).map((site, i) => (
              <tr key={i}><th scope="row">{site.name}</th>{classes.map((index) => <td key={index}>{countText(countIn(site, index))}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
