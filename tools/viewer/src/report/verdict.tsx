import type { Finding, Report } from "./data";
import { percentText, wordText } from "../shared/text";

interface Props {
  report: Report;
  /** Narrows to where most of a use of time lies; null where there is none of it. */
  show: (use: string) => (() => void) | null;
}

/** Where the time that a finding costs lies. */
function Where({ of: { fault, use }, show }: { of: Finding; show: Props["show"] }) {
  const choose = show(use);
  if (!choose) return null;
  return <button type="button" class="link where" aria-label={`Show where: ${wordText(fault)}`} title={`Narrow to the shortest time that holds half of what was ${wordText(use)}`} onClick={choose}>Show where</button>;
}

/** What to do. Commands stand between back-ticks, as at the terminal. */
function Advice({ text }: { text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

/** The sentence first, then what to do, then whatever else was found. */
export function Verdict({ report: { verdict: { sentence, findings } }, show }: Props) {
  const [first, ...others] = findings;
  return (
    <div class="verdict">
      <p class="sentence">{sentence}</p>
      {first && <p><span class="advice"><Advice text={first.advice} /></span> <Where of={first} show={show} /></p>}
      {others.length > 0 && (
        <details>
          <summary>{others.length === 1 ? "One more finding" : `${others.length} more findings`}</summary>
          <ul class="findings">
            {others.map((each) => (
              <li key={each.fault}><p><strong>{wordText(each.fault)}, {percentText(each.cost)}.</strong> {each.sentence}</p><p class="soft"><Advice text={each.advice} /> <Where of={each} show={show} /></p></li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
