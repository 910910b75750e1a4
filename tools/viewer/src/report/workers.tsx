// The timeline in figures.
import type { Data } from "./data";
import { isUse } from "./details";
import { accountsIn, whereMostLies, type Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { countText, percentText, wordText } from "../shared/text";

interface Props {
  data: Data;
  from: Recording;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

export function Workers({ data, from, narrowing, narrow }: Props) {
  const [begin, end] = narrowing.range ?? [0, from.grid.length_ns];
  const accounts = accountsIn(from, narrowing);
  const present = data.occupations.map((_, o) => o).filter((o) => accounts.some((account) => account[o] > 0));
  const seen = from.workers.map(({ depths }) => depths.mostIn(begin, end));
  const looked = seen.some((most) => most > 0), lost = from.workers.some((worker) => worker.lost > 0);
  const nameOf = (o: number) => wordText(data.occupations[o].name);
  /** To the shortest time that holds half of what one worker, or all of them, spent so. */
  const showMost = (o: number, worker: number | null) => narrow({ worker, range: whereMostLies(from, { ...narrowing, worker }, o) });
  const toggle = (worker: number) => narrow({ worker: narrowing.worker === worker ? null : worker });
  return (
    <details class="twin">
      <summary>The workers in figures</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The workers in figures">
        <table>
          <thead><tr>
            <th scope="col">Worker</th>
            {present.map((o) => <th key={o} scope="col">{isUse(o) ? <button type="button" class="link" onClick={() => showMost(o, narrowing.worker)}>{nameOf(o)}</button> : nameOf(o)}</th>)}
            {lost && <th scope="col">Records lost</th>}{looked && <th scope="col">Most to take</th>}
          </tr></thead>
          <tbody>
            {from.workers.map(({ index, lost: count }, worker) => (
              <tr key={index} data-chosen={narrowing.worker === worker}>
                <th scope="row"><button type="button" class="link" aria-pressed={narrowing.worker === worker} onClick={() => toggle(worker)}><span class="only-heard">worker </span>{index}</button></th>
                {present.map((o) => <td key={o}><Part ns={accounts[worker][o]} of={end - begin} choose={() => showMost(o, worker)} /></td>)}
                {lost && <td>{countText(count)}</td>}{looked && <td>{seen[worker] === 0 ? "not seen" : countText(seen[worker] - 1)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** A share of a worker's time, and the way to most of it. */
function Part({ ns, of, choose }: { ns: number; of: number; choose: () => void }) {
  const text = of > 0 ? percentText(ns / of) : "–";
  return ns > 0 ? <button type="button" class="link" title="Narrow to the shortest time that holds half of it" onClick={choose}>{text}</button> : <>{text}</>;
}
