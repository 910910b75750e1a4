import { useMemo, useState } from "preact/hooks";
import { useKeys } from "../shared/keyboard";
import { ThemeButton } from "../shared/theme";
import { curvesOf, type Curve, type Data } from "./data";
import { Figures, Heat } from "./figures";
import { lookOf } from "./look";
import { countsOf, Plot, type Quantity } from "./plot";

const nameOf: Record<Quantity, string> = { speed_up: "Speed-up", efficiency: "Efficiency" };

export function App({ data }: { data: Data }) {
  const curves = useMemo(() => curvesOf(data), [data]);
  const [chosen, setChosen] = useState(0), [quantity, setQuantity] = useState<Quantity>("speed_up"), [words, setWords] = useState<string | null>(null);
  const choose = (index: number) => {
    setChosen((index + curves.length) % curves.length);
    setWords(null);
  };
  useKeys({
    ArrowRight: () => choose(chosen + 1), ArrowLeft: () => choose(chosen - 1), Home: () => choose(0), End: () => choose(curves.length - 1),
    s: () => setQuantity("speed_up"), e: () => setQuantity("efficiency"), Escape: () => setWords(null),
  });
  const curve = curves[chosen];
  return (
    <>
      <header class="top">
        <div>
          <h1>What more cores bring</h1>
          <p class="soft lead">{data.simulation}</p>
        </div>
        <ThemeButton />
      </header>
      <main>
        <section class="card block" aria-labelledby="curves-title">
          <div class="heading">
            <h2 id="curves-title">{nameOf[quantity]} by workers</h2>
            <fieldset class="choice-of">
              <legend class="only-heard">The plot shows</legend>
              {(Object.keys(nameOf) as Quantity[]).map((each) => (
                <label key={each} class="button"><input type="radio" name="quantity" checked={each === quantity} onChange={() => setQuantity(each)} /> {nameOf[each]}</label>
              ))}
            </fieldset>
          </div>
          <Plot curves={curves} chosen={chosen} quantity={quantity} />
          <Legend curves={curves} chosen={chosen} choose={choose} />
          <Table curves={curves} quantity={quantity} />
        </section>
        {curve && (
          <section class="card block" aria-labelledby="workload-title">
            <h2 id="workload-title">{curve.name}</h2>
            <p class="soft note">{curve.purpose}; {curve.size}</p>
            <Figures curve={curve} />
          </section>
        )}
        {curve && <Heat curve={curve} words={words} choose={setWords} />}
      </main>
      <footer class="soft">
        <p><kbd>←</kbd> <kbd>→</kbd> another workload <kbd>S</kbd> speed-up <kbd>E</kbd> efficiency <kbd>esc</kbd> no word</p>
        <p>A speed-up is over the first point of its workload. Dashed: one time more for each worker. {data.simulation}</p>
      </footer>
    </>
  );
}

interface LegendProps {
  curves: Curve[];
  chosen: number;
  choose: (index: number) => void;
}

function Legend({ curves, chosen, choose }: LegendProps) {
  return (
    <div class="curve-names" role="group" aria-label="Workloads">
      {curves.map(({ name }, i) => {
        const { color, dash } = lookOf(i);
        return (
          <button key={name} type="button" class="chip" aria-pressed={i === chosen} onClick={() => choose(i)}>
            <svg width="26" height="10" aria-hidden="true"><line x1="1" y1="5" x2="25" y2="5" style={{ stroke: `var(${color})` }} stroke-width="3" stroke-dasharray={dash.map((each) => each / 1.5).join(" ")} /></svg>
            {name}
          </button>
        );
      })}
    </div>
  );
}

/** All of the plot in figures. */
function Table({ curves, quantity }: { curves: Curve[]; quantity: Quantity }) {
  const counts = countsOf(curves);
  return (
    <details class="twin">
      <summary>The curves in figures</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The curves in figures">
        <table class="figures">
          <caption class="soft">{nameOf[quantity]} by the number of workers</caption>
          <thead><tr><th scope="col">Workload</th>{counts.map((each) => <th key={each} scope="col">{each}</th>)}</tr></thead>
          <tbody>
            {curves.map(({ name, points }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {counts.map((workers) => <td key={workers}>{points.find((point) => point.workers === workers)?.[quantity].toFixed(2) ?? "–"}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
