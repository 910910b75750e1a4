// The code of a watched run: what each place that forks is worth, as `filch analyze` says it.
import type { Analysis } from "./data";
import { Share } from "./sites";
import { countText, durationText, numberText } from "./text";

/** A factor for the length of leaves, as the program writes it. */
function grainText(factor: number): string {
  if (factor > 1.05) return `× ${numberText(factor)}`;
  return factor < 0.95 ? `/ ${numberText(1 / factor)}` : "fine";
}

export function Watched({ analysis: { sites, work_ns, span_ns } }: { analysis: Analysis }) {
  const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  return (
    <section class="card block" aria-labelledby="watched-title">
      <h2 id="watched-title">Work and span</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="watched-title">
        <table class="sites">
          <thead>
            <tr><th scope="col">Site</th><th scope="col">Forks</th><th scope="col">Work</th><th scope="col">Span</th><th scope="col">Mean leaf</th><th scope="col">Grain</th></tr>
          </thead>
          <tbody>
            {sites.map((site, i) => (
              <tr key={i}>
                <th scope="row">{site.name}</th>
                <td>{countText(site.forks)}</td>
                <Share kind="work" value={shareOf(site.work_ns, work_ns)} />
                <Share kind="blamed" value={shareOf(site.span_ns, span_ns)} />
                <td>{site.leaves === 0 ? "–" : durationText(site.leaf_ns / site.leaves)}</td>
                <td>{site.forks === 0 ? "–" : grainText(site.suggested_grain)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft note">Of the whole watched run: {durationText(work_ns)} of work, of which {durationText(span_ns)} lie on the longest chain, the span. Grain: how much longer or shorter leaves should be.</p>
    </section>
  );
}
