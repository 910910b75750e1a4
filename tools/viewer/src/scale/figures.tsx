// What the cores did with each number of workers, and the lines of memory for which they waited.
import { countText, durationText, nounText, percentText } from "../shared/text";
import { hotWordsOf, placesOf, type Curve, type Point } from "./data";

const times = (value: number): string => value.toFixed(2);
const share = (part: number, { cpu_ns }: Point): string => (cpu_ns === 0 ? "0 %" : percentText(part / cpu_ns));

export function Figures({ curve }: { curve: Curve }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Figures of ${curve.name}`}>
      <table class="figures">
        <caption class="soft">What a point is made of; spent, waited and paused are shares of the CPU time</caption>
        <thead>
          <tr>{["Workers", "Time", "Speed-up", "Efficiency", "CPU", "Spent", "Waited", "Paused", "Steals won", "Tried", "Parks", "Wakes"].map((each) => <th key={each} scope="col">{each}</th>)}</tr>
        </thead>
        <tbody>
          {curve.points.map((p) => (
            <tr key={p.workers}>
              <th scope="row">{p.workers}</th><td>{durationText(p.timed_ns)}</td><td>{times(p.speed_up)}</td><td>{p.efficiency.toFixed(3)}</td>
              <td>{durationText(p.cpu_ns)}</td><td>{share(p.spent_ns, p)}</td><td>{share(p.waited_ns, p)}</td><td>{share(p.paused_ns, p)}</td>
              <td>{countText(p.steals_won)}</td><td>{countText(p.steals_tried)}</td><td>{countText(p.parks)}</td><td>{countText(p.wakes)}</td>
            </tr>
          ))}
          {curve.failures.map(({ workers, failure }) => <tr key={workers}><th scope="row">{workers}</th><td colSpan={11} class="failure">{failure}</td></tr>)}
        </tbody>
      </table>
    </div>
  );
}

interface HeatProps {
  curve: Curve;
  words: string | null;
  choose: (words: string | null) => void;
}

/** A row for each word, a column for each number of workers. */
export function Heat({ curve, words, choose }: HeatProps) {
  const rows = hotWordsOf(curve);
  const hottest = Math.max(1e-9, ...rows.map(({ most }) => most));
  const points = curve.points;
  return (
    <section class="card block" aria-labelledby="heat-title">
      <h2 id="heat-title">Hot lines of {curve.name}</h2>
      {rows.length === 0 ? <p class="soft">No core waited for memory.</p> : (
        <>
          <div class="scroll" tabIndex={0} role="group" aria-labelledby="heat-title">
            <table class="heat">
              <caption class="soft">Share of all cores' time that waited for the line of these words, by the number of workers. A word shows where.</caption>
              <thead><tr><th scope="col">Words</th>{points.map(({ workers }) => <th key={workers} scope="col"><span class="only-heard">with </span>{workers}</th>)}</tr></thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.words} data-chosen={row.words === words}>
                    <th scope="row"><button type="button" class="link" aria-pressed={row.words === words} onClick={() => choose(row.words === words ? null : row.words)}>{row.words.split(", ").map((word) => <span key={word} class="word">{word} </span>)}</button></th>
                    {row.shares.map((each, i) => (
                      <td key={points[i].workers} class={each === null ? "none" : ""} style={{ "--heat": `${Math.round((40 * (each ?? 0)) / hottest)}%` }}>{each === null ? "–" : (100 * each).toFixed(2)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {words !== null && <Places curve={curve} words={words} />}
        </>
      )}
    </section>
  );
}

/** With as many workers as the word was hottest. */
function Places({ curve, words }: { curve: Curve; words: string }) {
  const row = hotWordsOf(curve).find((each) => each.words === words);
  const point = row && curve.points[row.shares.indexOf(row.most)];
  if (!point) return null;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Functions that waited for ${words}`}>
      <table class="places">
        <caption class="soft">Functions that waited for <strong>{words}</strong> with {nounText(point.workers, "workers")}</caption>
        <thead><tr><th scope="col">Function</th><th scope="col">Line</th><th scope="col">Access</th><th scope="col">Waits</th><th scope="col">Time</th></tr></thead>
        <tbody>
          {placesOf(point, words).map((place) => (
            <tr key={`${place.file}${place.line}${place.function}${place.what}`}>
              <th scope="row"><code>{place.function}</code></th><td><code>{place.file}:{place.line}</code></td>
              <td><code>{place.word ? `${place.word}.` : ""}{place.what}</code></td><td>{countText(place.count)}</td><td>{durationText(place.waited_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
