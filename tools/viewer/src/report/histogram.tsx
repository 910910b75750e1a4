// How long jobs took.
import type { Durations } from "./data";
import { lengthsFrom, type Narrowing } from "./narrow";
import { countText, durationText, lengthText, nounText } from "../shared/text";

interface Props {
  histogram: Durations["histogram"];
  count: number;
  /** Why the page has no single jobs, if it has none: then a bar cannot be chosen, and of a part of the recording there is none. */
  wholeOnly: string | null;
  isPart: boolean;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

/** Every power of two from the shortest to the longest, also those without a job. */
function withGaps(histogram: Durations["histogram"]): Durations["histogram"] {
  const exponent = (ns: number) => (ns === 0 ? 0 : Math.round(Math.log2(ns)));
  const counts = new Map<number, number>();  // less than a nanosecond, and less than two, are one bar
  for (const { from_ns, count } of histogram) counts.set(exponent(from_ns), (counts.get(exponent(from_ns)) ?? 0) + count);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  return Array.from({ length: last - first + 1 }, (_, i) => ({ from_ns: first + i === 0 ? 0 : 2 ** (first + i), count: counts.get(first + i) ?? 0 }));
}

export function Histogram({ histogram, count, wholeOnly, isPart, narrowing, narrow }: Props) {
  const rows = histogram.length === 0 ? [] : withGaps(histogram);
  const most = Math.max(1, ...rows.map((row) => row.count));
  const toggle = (length: [number, number]) => narrow({ length: narrowing.length?.[0] === length[0] ? null : length });
  return (
    <section class="card block" aria-labelledby="grain-title">
      <h2 id="grain-title">How long jobs took</h2>
      {isPart && wholeOnly !== null ? <p class="soft">{wholeOnly}: the histogram is of the whole run only.</p> : rows.length === 0 ? <p class="soft">No job began and ended here.</p> : (
        <table class="histogram">
          <caption class="soft">{nounText(count, "jobs")} from begin to end, joins included</caption>
          <thead class="only-heard"><tr><th scope="col">At least</th><th scope="col">Jobs</th></tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.from_ns}>
                <th scope="row">{durationText(row.from_ns)}</th>
                <td>
                  {wholeOnly === null && row.count > 0 ? (
                    <button type="button" class="row" aria-pressed={narrowing.length?.[0] === row.from_ns} aria-label={`${lengthText(lengthsFrom(row.from_ns))}: ${countText(row.count)}`}
                            title={`Narrow to ${lengthText(lengthsFrom(row.from_ns))}`} onClick={() => toggle(lengthsFrom(row.from_ns))}><Bar count={row.count} share={row.count / most} /></button>
                  ) : <span class="row"><Bar count={row.count} share={row.count / most} /></span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** With its figure behind it, which a row without jobs lacks. */
function Bar({ count, share }: { count: number; share: number }) {
  return <><i style={{ width: `${100 * share}%` }} data-empty={count === 0} aria-hidden="true" /><span class="figure">{count === 0 ? "" : countText(count)}</span></>;
}
