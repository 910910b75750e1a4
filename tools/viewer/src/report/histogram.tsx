// How long jobs took.
import type { Durations } from "./data";
import { countText, durationText, nounText } from "./text";

interface Props {
  histogram: Durations["histogram"];
  count: number;
  /** False where the page has no single jobs, and a part of the recording was asked for. */
  isKnown: boolean;
}

/** Every power of two from the shortest to the longest, also those without a job. */
function withGaps(histogram: Durations["histogram"]): Durations["histogram"] {
  const exponent = (ns: number) => (ns === 0 ? 0 : Math.round(Math.log2(ns)));
  const counts = new Map(histogram.map(({ from_ns, count }) => [exponent(from_ns), count]));
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  return Array.from({ length: last - first + 1 }, (_, i) => ({ from_ns: first + i === 0 ? 0 : 2 ** (first + i), count: counts.get(first + i) ?? 0 }));
}

export function Histogram({ histogram, count, isKnown }: Props) {
  const rows = histogram.length === 0 ? [] : withGaps(histogram);
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <section class="card block" aria-labelledby="grain-title">
      <h2 id="grain-title">How long jobs took</h2>
      {!isKnown ? <p class="soft">Too many jobs for a page to carry each: the histogram is of the whole run only.</p> : rows.length === 0 ? <p class="soft">No job began and ended here.</p> : (
        <table class="histogram">
          <caption class="soft">{nounText(count, "jobs")} from begin to end, joins included</caption>
          <thead class="only-heard"><tr><th scope="col">At least</th><th scope="col">Jobs</th></tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.from_ns}>
                <th scope="row">{durationText(row.from_ns)}</th>
                <td><i style={{ width: `${(100 * row.count) / most}%` }} data-empty={row.count === 0} aria-hidden="true" /><span>{row.count === 0 ? "" : countText(row.count)}</span></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
