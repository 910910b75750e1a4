// The code of a watched run: what each place that forks is worth, as `filch analyze` says it.
import type { Analysis, Place } from "./data";
import { classesOf, LengthBars, LengthFigures } from "./lengths";
import type { Narrowing } from "./narrow";
import { placeText, Share } from "./sites";
import { countText, durationText, nounText, numberText, percentText } from "../shared/text";

/** A factor for the length of leaves, as the program writes it. */
function grainText(factor: number): string {
  if (factor > 1.05) return `× ${numberText(factor)}`;
  return factor < 0.95 ? `/ ${numberText(1 / factor)}` : "fine";
}

interface Props {
  analysis: Analysis;
  /** Whether this is the watched run on one worker that stands beside the recording. */
  isAlone: boolean;
  slots: number;
  /** The sites that can be chosen. */
  chosenFrom: Place[];
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

/** What the whole would gain. */
function gainText(now_ns: number, then_ns: number): string {
  const gain = now_ns > 0 ? 1 - then_ns / now_ns : 0;
  return gain < 0.005 ? "no gain" : `− ${percentText(gain)}`;
}

/** Which of the sites of the recording a watched one is, counted from one; 0: none. Lambdas of one function have one name, so the name alone does only where it is the only one. */
function numberOf({ name, module, offset }: Place, all: Place[]): number {
  if (module !== "") return all.findIndex((each) => each.module === module && each.offset === offset) + 1;
  return all.filter((each) => each.name === name).length === 1 ? all.findIndex((each) => each.name === name) + 1 : 0;
}

/** Chooses the site, where there are jobs of it. */
function SiteName({ site, number, narrowing, narrow }: { site: Place; number: number } & Pick<Props, "narrowing" | "narrow">) {
  if (number === 0) return <span title={placeText(site)}>{site.name}</span>;
  const isChosen = narrowing.site === number;
  return <button type="button" class="link" title={placeText(site)} aria-pressed={isChosen} onClick={() => narrow({ site: isChosen ? null : number })}>{site.name}</button>;
}

export function Watched({ analysis: { sites, work_ns, span_ns, predictions }, isAlone, slots, chosenFrom, narrowing, narrow }: Props) {
  const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  const classes = classesOf(sites);
  const now_ns = predictions.find(({ workers }) => workers === slots)?.estimate_ns ?? 0;
  return (
    <section class="card block" aria-labelledby="watched-title">
      <h2 id="watched-title">Work and span</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="watched-title">
        <table class="sites">
          <thead>
            <tr><th scope="col">Site</th><th scope="col">Forks</th><th scope="col">Work</th><th scope="col">Span</th><th scope="col">Mean leaf</th><th scope="col">Grain</th><th scope="col">If twice as fast</th><th scope="col">Jobs by length</th></tr>
          </thead>
          <tbody>
            {sites.map((site, i) => (
              <tr key={i}>
                <th scope="row"><SiteName site={site} number={numberOf(site, chosenFrom)} narrowing={narrowing} narrow={narrow} /></th>
                <td>{countText(site.forks)}</td>
                <Share kind="work" value={shareOf(site.work_ns, work_ns)} />
                <Share kind="span" value={shareOf(site.span_ns, span_ns)} />
                <td>{site.leaves === 0 ? "–" : durationText(site.leaf_ns / site.leaves)}</td>
                <td>{site.forks === 0 ? "–" : grainText(site.suggested_grain)}</td>
                <td>{gainText(now_ns, site.twice_as_fast.estimate_ns)}</td>
                <td><LengthBars site={site} classes={classes} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {classes.length > 0 && <LengthFigures sites={sites} classes={classes} />}
      <p class="soft note">Of the watched run{isAlone && " on one worker"}, whole: {durationText(work_ns)} of work, of which {durationText(span_ns)} lie on the longest chain, the span. Grain: how much longer or shorter leaves should be. If twice as fast: how much less time the whole would take on {nounText(slots, "workers")}, were this code so. Jobs by length: what a thief could take, with all that was forked inside, a bar for each power of two{classes.length > 0 && <> from {durationText(classes[0] === 0 ? 0 : 2 ** (classes[0] - 1))} to {durationText(2 ** classes[classes.length - 1])}</>}, as high as the logarithm of their number.</p>
    </section>
  );
}
