// The timeline in figures.
import type { Data } from "./data";
import type { Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { countText, percentText, wordText } from "./text";

export function Workers({ data, from, range }: { data: Data; from: Recording; range: Narrowing["range"] }) {
  const [begin, end] = range ?? [0, from.grid.length_ns];
  const accounts = from.workers.map(({ lane }) => lane.account(begin, end));
  const present = data.occupations.map((_, o) => o).filter((o) => accounts.some((account) => account[o] > 0));
  const seen = from.workers.map(({ depths }) => depths.mostIn(begin, end));
  const looked = seen.some((most) => most > 0);
  return (
    <details class="twin">
      <summary>The workers in figures</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The workers in figures">
        <table>
          <thead><tr><th scope="col">Worker</th>{present.map((o) => <th key={o} scope="col">{wordText(data.occupations[o].name)}</th>)}{looked && <th scope="col">Most to take</th>}</tr></thead>
          <tbody>
            {from.workers.map(({ index }, worker) => (
              <tr key={index}>
                <th scope="row">{index}</th>
                {present.map((o) => <td key={o}>{end > begin ? percentText(accounts[worker][o] / (end - begin)) : "–"}</td>)}
                {looked && <td>{seen[worker] === 0 ? "not seen" : countText(seen[worker] - 1)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
