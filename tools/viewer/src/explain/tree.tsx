// The computation as a tree: which tasks are not ready yet, wait, run, and are done, and by which worker.
import { useMemo } from "preact/hooks";
import type { Scene } from "./data";
import { placesByTask, type Picture } from "./replay";
import { workerShape } from "./words";

interface Node {
  x: number;
  y: number;
}

interface TreeLayout {
  nodes: Node[];
  width: number;
  height: number;
  radius: number;
}

const levelHeight = 46;

/** Leaves stand side by side and parents above the middle of what they fork; what follows in a function stands to its right. */
function layoutTree(scene: Scene): TreeLayout {
  const isFunction = scene.tasks.some((task) => task.next !== null && task.children.length > 0);
  return isFunction ? layoutFunction(scene) : layoutLevels(scene);
}

function layoutLevels({ tasks }: Scene): TreeLayout {
  const leafCount = tasks.filter((task) => task.children.length === 0).length;
  const pitch = 34;
  const nodes: Node[] = [];
  let leaf = 0;
  let deepest = 0;
  const place = (id: number, depth: number): number => {
    deepest = Math.max(deepest, depth);
    const below = tasks[id].children.map((child) => place(child, depth + 1));
    const x = below.length === 0 ? (leaf++ + 0.5) * pitch : (below[0] + below[below.length - 1]) / 2;
    nodes[id] = { x, y: 22 + depth * levelHeight };
    return x;
  };
  place(0, 0);
  return { nodes, width: leafCount * pitch, height: 44 + deepest * levelHeight, radius: 14 };
}

/** The strands of the function in a row, the children it forks below them. */
function layoutFunction({ tasks }: Scene): TreeLayout {
  const nodes: Node[] = [];
  const pitch = 92;
  let column = 0;
  for (let id: number | null = 0; id !== null; id = tasks[id].next) {
    nodes[id] = { x: (column + 0.5) * pitch, y: 34 };
    for (const child of tasks[id].children) nodes[child] = { x: (column + 0.95) * pitch, y: 128 };
    ++column;
  }
  return { nodes, width: column * pitch, height: 162, radius: 20 };
}

function edgesOf(scene: Scene): [number, number, string][] {
  return scene.tasks.flatMap((task, id) => [
    ...task.children.map((child): [number, number, string] => [id, child, "fork"]),
    ...(task.next === null ? [] : [[id, task.next, scene.tasks[task.next].parent === id ? "next" : "join"] as [number, number, string]]),
  ]);
}

export function Tree({ scene, picture }: { scene: Scene; picture: Picture }) {
  const layout = useMemo(() => layoutTree(scene), [scene]);
  const found = placesByTask(picture);
  const edge = (from: Node, to: Node) => `M${from.x} ${from.y}C${from.x} ${(from.y + to.y) / 2},${to.x} ${(from.y + to.y) / 2},${to.x} ${to.y}`;
  return (
    <svg class="tree" viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" aria-label={`${picture.places.unborn.length} of ${scene.tasks.length} tasks not ready yet`}>
      {edgesOf(scene).map(([from, to, kind]) => (
        <path key={`${from} ${to}`} class={`edge ${kind}`} data-open={found.get(to)!.place === "unborn"} d={edge(layout.nodes[from], layout.nodes[to])} />
      ))}
      {layout.nodes.map(({ x, y }, id) => {
        const [kind, worker] = found.get(id)!.place.split(" ");
        const isTaken = kind === "hand" || kind === "finished";
        const name = scene.tasks[id].name;
        return (
          <g key={id} class={`node ${kind} ${isTaken ? `worker-${Number(worker) + 1}` : ""}`} transform={`translate(${x} ${y})`} data-node={id}>
            <path d={workerShape(isTaken ? Number(worker) : 0)} transform={`scale(${layout.radius})`} />
            <text y={layout.radius > 15 ? 5 : 4} text-anchor="middle" class={name.length > 3 ? "tight" : ""}>{name}</text>
          </g>
        );
      })}
    </svg>
  );
}

export function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      {[0, 1, 2, 3].map((worker) => (
        <li key={worker}>
          <svg viewBox="-1.4 -1.4 2.8 2.8" width="16" height="16" aria-hidden="true"><path class={`mark worker-${worker + 1}`} d={workerShape(worker)} /></svg>
          worker {worker + 1}
        </li>
      ))}
      <li><span class="swatch waits" />waits</li>
      <li><span class="swatch runs" />runs</li>
    </ul>
  );
}
