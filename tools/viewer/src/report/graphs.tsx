// Task graphs: the longest run of each, drawn in layers, with its critical path.
import { useMemo, useRef, useState } from "preact/hooks";
import type { GraphRun } from "./data";
import { box, curveOf, layOut, type Layout } from "./graph-layout";
import { isNodeChosen, shownOf, type ShownNode } from "./graph-shown";
import type { Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { countText, durationText, nounText, numberText } from "../shared/text";

interface Props {
  from: Recording;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

const nameOf = ({ name }: GraphRun, i: number): string => (name === "" ? `graph ${i + 1}` : name);
const timeOf = ({ outcome, ns }: ShownNode): string => (outcome === "ran" ? durationText(ns) : outcome);

/** What pointing at a node says. */
function textOf(node: ShownNode, { span_ns }: GraphRun): string {
  const worker = node.worker === null ? "" : ` on worker ${node.worker}`;
  const time = node.outcome === "ran" ? `${durationText(node.ns)}${worker}` : node.outcome === "failed" ? `failed after ${durationText(node.ns)}${worker}` : node.outcome;
  const slack = node.isCritical ? "on the critical path" : `slack ${durationText(node.slack_ns)}`;
  const gain = node.span_if_twice_as_fast_ns < span_ns;
  return `${node.name}: ${time}, ${slack}. With this node twice as fast: ${gain ? `${durationText(node.span_if_twice_as_fast_ns)} instead of ${durationText(span_ns)}` : `still ${durationText(span_ns)}`}.`;
}

export function Graphs({ from, narrowing, narrow }: Props) {
  const { graphs } = from.report;
  const [chosen, choose] = useState(0);
  if (graphs.length === 0) return null;
  const run = graphs[chosen];
  return (
    <section class="card block graphs" aria-labelledby="graphs-title">
      <div class="heading">
        <h2 id="graphs-title">{graphs.length === 1 ? "Task graph" : "Task graphs"}</h2>
        {graphs.length > 1 && (
          <div class="buttons" role="group" aria-labelledby="graphs-title">
            {graphs.map((each, i) => <button key={i} type="button" class="chip" aria-pressed={i === chosen} onClick={() => choose(i)}>{nameOf(each, i)} · {durationText(each.wall_ns)}</button>)}
          </div>
        )}
      </div>
      <p>
        <strong>{nameOf(run, chosen)}</strong>: {nounText(run.node_count, "nodes")} in {durationText(run.wall_ns)}{run.runs > 1 && <>, the longest of {nounText(run.runs, "runs")}</>}.{" "}
        Its critical path takes {durationText(run.span_ns)} of {durationText(run.work_ns)} of work: however many workers there are, on average at most {numberText(run.work_ns / Math.max(1, run.span_ns))} of them have work.{" "}
        <button type="button" class="link" onClick={() => narrow({ range: [run.begin_ns, Math.min(run.begin_ns + run.wall_ns, from.grid.length_ns)] })}>Show when it ran</button>
      </p>
      <Picture key={chosen} run={run} from={from} narrowing={narrowing} narrow={narrow} />
    </section>
  );
}

function Picture({ run, from, narrowing, narrow }: Props & { run: GraphRun }) {
  const nodes = useMemo(() => shownOf(run, from), [run, from]);
  const layout = useMemo(() => layOut(nodes, nodes.flatMap(({ isCritical }, i) => (isCritical ? [i] : []))), [nodes]);
  const [pointed, point] = useState<number | null>(null);
  const [current, focus] = useState(() => Math.max(0, nodes.findIndex(({ isCritical }) => isCritical)));
  const elements = useRef<(SVGGElement | null)[]>([]);
  const longest = Math.max(1, ...nodes.map(({ ns }) => ns));
  const chosen = (node: ShownNode) => isNodeChosen(narrowing, node, run);
  const isNextTo = (i: number) => pointed === null || i === pointed || nodes[pointed].successors.includes(i) || nodes[i].successors.includes(pointed);
  const pick = ({ site, lane, range }: ShownNode) => {
    const isSame = site !== 0 && narrowing.site === site && narrowing.range?.[0] === range?.[0];
    narrow(isSame ? { site: null, worker: null, range: null } : { site: site === 0 ? null : site, worker: lane < 0 ? null : lane, range: range ?? [run.begin_ns, Math.min(run.begin_ns + run.wall_ns, from.grid.length_ns)] });
  };
  const keyed = (event: KeyboardEvent, i: number) => {
    if (event.key === "Enter" || event.key === " ") pick(nodes[i]);
    const next = neighborOf(nodes, layout, i, event.key);
    if (next === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (next !== null) elements.current[next]?.focus();
  };
  return (
    <>
      {nodes.length < run.node_count && <p class="soft note">Of {countText(run.node_count)} nodes {countText(nodes.length)} are drawn: those on the critical path, and those beside it with the least slack.</p>}
      <div class="scroll graph">
        <svg width={layout.width + 8} height={layout.height + 8} viewBox={`-4 -4 ${layout.width + 8} ${layout.height + 8}`} role="group" aria-label="Nodes of the graph, from left to right. Arrow keys go from node to node.">
          {[...layout.edges].sort((a, b) => Number(isCriticalEdge(nodes, a)) - Number(isCriticalEdge(nodes, b))).map((edge) => (
            <path key={`${edge.from} ${edge.to}`} class="edge" d={curveOf(edge.points)} data-critical={isCriticalEdge(nodes, edge)} data-faint={pointed !== null && edge.from !== pointed && edge.to !== pointed} />
          ))}
          {nodes.map((node, i) => (
            <g key={i} ref={(element) => { elements.current[i] = element; }} class="node" transform={`translate(${layout.boxes[i].x} ${layout.boxes[i].y})`} tabindex={i === current ? 0 : -1} role="button" aria-label={textOf(node, run)}
               data-critical={node.isCritical} data-outcome={node.outcome} data-chosen={chosen(node)} data-faint={!chosen(node) || !isNextTo(i)}
               onFocus={() => { focus(i); point(i); }} onBlur={() => point(null)} onPointerEnter={() => point(i)} onPointerLeave={() => point(null)} onClick={() => pick(node)} onKeyDown={(event) => keyed(event, i)}>
              <rect class="frame" width={box.width} height={box.height} rx={7} />
              <rect class="time" x={8} y={box.height - 8} width={Math.max(1, ((box.width - 16) * node.ns) / longest)} height={3} rx={1.5} />
              <svg width={box.width - 6} height={box.height}><text x={8} y={15}>{node.name}</text>{" "}<text class="figure" x={8} y={28}>{timeOf(node)}</text></svg>
            </g>
          ))}
        </svg>
      </div>
      <p class="pointed" aria-hidden="true">{pointed === null ? "Point at a node for its figures; a click narrows everything to it. The critical path is thick; a bar shows how long a node took." : textOf(nodes[pointed], run)}</p>
      <Figures nodes={nodes} run={run} />
    </>
  );
}

const isCriticalEdge = (nodes: ShownNode[], { from, to }: { from: number; to: number }): boolean => nodes[from].isCritical && nodes[to].isCritical && nodes[from].next === to;

/** The node that an arrow key leads to: along the critical path, else to the nearest one that an edge leads to, or in the layer. Null if there is none, or it is another key. */
function neighborOf(nodes: ShownNode[], { boxes, edges }: Layout, i: number, key: string): number | null {
  const onPath = (among: number[]) => among.filter((each) => isCriticalEdge(nodes, { from: Math.min(i, each), to: Math.max(i, each) }))[0] ?? nearest(among);
  const nearest = (among: number[]) => among.reduce<number | null>((best, each) => (best === null || Math.abs(boxes[each].y - boxes[i].y) < Math.abs(boxes[best].y - boxes[i].y) ? each : best), null);
  const inLayer = (isThere: (y: number) => boolean) => nearest(boxes.flatMap(({ layer, y }, each) => (layer === boxes[i].layer && isThere(y) ? [each] : [])));
  switch (key) {
    case "ArrowRight": return onPath(edges.flatMap(({ from, to }) => (from === i ? [to] : [])));
    case "ArrowLeft": return onPath(edges.flatMap(({ from, to }) => (to === i ? [from] : [])));
    case "ArrowUp": return inLayer((y) => y < boxes[i].y);
    case "ArrowDown": return inLayer((y) => y > boxes[i].y);
    default: return null;
  }
}

/** The same as a table, those first that shorten the critical path most. */
function Figures({ nodes, run }: { nodes: ShownNode[]; run: GraphRun }) {
  const [isOpen, open] = useState(false);
  const rows = isOpen ? [...nodes].sort((a, b) => a.span_if_twice_as_fast_ns - b.span_if_twice_as_fast_ns || a.slack_ns - b.slack_ns) : [];
  return (
    <details class="twin" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>The nodes in figures</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The nodes in figures">
        <table>
          <thead><tr><th scope="col">Node</th><th scope="col">Took</th><th scope="col">Slack</th><th scope="col">Critical path if twice as fast</th><th scope="col">Worker</th></tr></thead>
          <tbody>
            {rows.map((node, i) => (
              <tr key={i}>
                <th scope="row">{node.name}</th><td>{timeOf(node)}</td><td>{node.isCritical ? "none" : durationText(node.slack_ns)}</td>
                <td>{node.span_if_twice_as_fast_ns < run.span_ns ? durationText(node.span_if_twice_as_fast_ns) : "no gain"}</td><td>{node.worker ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
