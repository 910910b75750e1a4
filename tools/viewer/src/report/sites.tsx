// The code that ran, worst first.
import type { Data, Place } from "./data";
import type { Narrowing, SiteFigures } from "./narrow";
import { countText, durationText, percentText } from "../shared/text";

interface Props {
  data: Data;
  /** The figures of a part of the recording; null: all of it. */
  part: SiteFigures[] | null;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
  /** The time that shares are of. */
  total: number;
}

export function Sites({ data, part, narrowing, narrow, total }: Props) {
  const shareOf = (ns: number) => (total === 0 ? 0 : ns / total);
  const rows = data.report.sites.map((site, i) => ({
    ...site, number: i + 1, place: placeText(site), ...(part?.[i] ?? { median_ns: site.duration.count === 0 ? null : site.duration.median_ns }),
  })).filter(({ jobs, work_ns }) => part === null || jobs > 0 || work_ns > 0);
  return (
    <section class="card block" aria-labelledby="sites-title">
      <h2 id="sites-title">Code</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="sites-title">
        <table class="sites">
          <thead>
            <tr><th scope="col">Site</th><th scope="col">Jobs</th><th scope="col">Stolen</th><th scope="col">Work</th>{part === null && <th scope="col">Idle</th>}<th scope="col">Median job</th></tr>
          </thead>
          <tbody>
            {rows.map(({ name, place, number, jobs, stolen, work_ns, attributed_idle_ns, median_ns }) => (
              <tr key={number} class="choice" data-chosen={narrowing.site === number} onClick={() => narrow({ site: narrowing.site === number ? null : number })}>
                <th scope="row"><button type="button" class="link" title={place} aria-pressed={narrowing.site === number}>{name}</button></th>
                <td>{countText(jobs)}</td><td>{countText(stolen)}</td>
                <Share kind="work" value={shareOf(work_ns)} />
                {part === null && <Share kind="idle" value={shareOf(attributed_idle_ns)} />}
                <td>{median_ns === null ? "–" : durationText(median_ns)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft note">{part === null ? "Idle: slots that stood idle while this ran." : "Jobs that began there, and work done there. Idle time is known of the whole run only."}</p>
    </section>
  );
}

/** What tells places of one name apart. */
export const placeText = ({ module, offset }: Place): string | undefined => (module === "" ? undefined : `${module} + 0x${offset.toString(16)}`);

/** A figure with a bar behind it. */
export function Share({ kind, value }: { kind: string; value: number }) {
  return <td class={`share ${kind}`}><i style={{ width: `${100 * value}%` }} aria-hidden="true" /><span>{percentText(value)}</span></td>;
}
