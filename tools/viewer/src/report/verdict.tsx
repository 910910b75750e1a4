import type { Report } from "./data";
import { percentText, wordText } from "./text";

/** The sentence first, then what to do, then whatever else was found. */
export function Verdict({ report: { verdict: { sentence, findings } } }: { report: Report }) {
  const [first, ...others] = findings;
  return (
    <div class="verdict">
      <p class="sentence">{sentence}</p>
      {first && <p class="advice">{first.advice}</p>}
      {others.length > 0 && (
        <details>
          <summary>{others.length === 1 ? "One more finding" : `${others.length} more findings`}</summary>
          <ul class="findings">
            {others.map(({ fault, cost, sentence: said, advice }) => (
              <li key={fault}><p><strong>{wordText(fault)}, {percentText(cost)}.</strong> {said}</p><p class="soft">{advice}</p></li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
