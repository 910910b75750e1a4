// Which worker took jobs from which.
import { whenTaken, type Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { countText } from "../shared/text";

interface Props {
  from: Recording;
  matrix: number[][];
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

export function Matrix({ from, matrix, narrowing, narrow }: Props) {
  const most = Math.max(1, ...matrix.flat());
  const total = matrix.flat().reduce((a, b) => a + b, 0);
  const toggle = (worker: number) => narrow({ worker: narrowing.worker === worker ? null : worker });
  return (
    <section class="card block" aria-labelledby="matrix-title">
      <h2 id="matrix-title">Steals</h2>
      {total === 0 ? <p class="soft">Nobody took a job from another worker.</p> : (
        <div class="scroll" tabIndex={0} role="group" aria-labelledby="matrix-title">
          <table class="matrix">
            <caption class="soft">{countText(total)} in all: each row a thief, each column its victim</caption>
            <thead>
              <tr><td />{from.workers.map(({ index }, victim) => (
                <th key={index} scope="col"><button type="button" class="link" aria-pressed={narrowing.worker === victim} onClick={() => toggle(victim)}><span class="only-heard">from worker </span>{index}</button></th>))}</tr>
            </thead>
            <tbody>
              {from.workers.map(({ index }, thief) => (
                <tr key={index}>
                  <th scope="row"><button type="button" class="link" aria-pressed={narrowing.worker === thief} onClick={() => toggle(thief)}><span class="wide">worker </span>{index}</button></th>
                  {matrix[thief].map((count, victim) => (
                    <td key={victim} class={thief === victim ? "self" : count === 0 ? "none" : ""} style={{ "--heat": `${Math.round((50 * count) / most)}%` }}>
                      {thief === victim ? "" : count === 0 ? "0" : (
                        <button type="button" class="link" title="Narrow to the thief, from the first of these to the end of the last" onClick={() => narrow({ worker: thief, range: whenTaken(from, thief, victim) })}>{countText(count)}</button>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
