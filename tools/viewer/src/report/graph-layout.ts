// Where the nodes of a graph lie in its picture: in layers from left to right, each node behind all that it waits for.
// Sources: Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981: layers by the longest way, order
// by barycenters. We differ: a row of a layer is moved towards its neighbors instead of being laid out by quadratic programming.

export interface Shape {
  /** Nodes that come later in the list. */
  successors: number[];
}

export interface Layout {
  width: number;
  height: number;
  /** The upper left corner of each box. */
  boxes: { x: number; y: number; layer: number }[];
  /** Each edge with the points that it passes, from the right side of a box to the left side of another. */
  edges: { from: number; to: number; points: [number, number][] }[];
}

export const box = { width: 148, height: 40 };
const gap = { x: 44, y: 14, line: 12 };

/** A place in a layer: a node, or where an edge passes the layer. */
interface Place {
  node: number | null;
  layer: number;
  /** A part of the critical path. */
  isCritical: boolean;
  before: Place[];
  after: Place[];
  y: number;
}

function layersOf(shapes: Shape[]): number[] {
  const layers = shapes.map(() => 0);
  shapes.forEach(({ successors }, i) => successors.forEach((next) => { layers[next] = Math.max(layers[next], layers[i] + 1); }));
  return layers;
}

function placesOf(shapes: Shape[], path: number[]): { nodes: Place[]; rows: Place[][]; chains: { from: number; to: number; places: Place[] }[] } {
  const layers = layersOf(shapes);
  const rows: Place[][] = Array.from({ length: Math.max(0, ...layers) + 1 }, () => []);
  const onPath = new Map(path.map((node, i) => [node, path[i + 1]]));
  const place = (node: number | null, layer: number, isCritical: boolean): Place => {
    const made: Place = { node, layer, isCritical, before: [], after: [], y: 0 };
    rows[layer].push(made);
    return made;
  };
  const nodes = shapes.map((_, i) => place(i, layers[i], onPath.has(i)));
  const chains = shapes.flatMap(({ successors }, from) => successors.map((to) => {
    const between = Array.from({ length: layers[to] - layers[from] - 1 }, (_, i) => place(null, layers[from] + 1 + i, onPath.get(from) === to));
    const places = [nodes[from], ...between, nodes[to]];
    places.slice(1).forEach((each, i) => { places[i].after.push(each); each.before.push(places[i]); });
    return { from, to, places };
  }));
  return { nodes, rows, chains };
}

const heightOf = ({ node }: Place): number => (node === null ? gap.line : box.height + gap.y);

/** The middles of a row from top to bottom, in the order that it has, each as near to where it would be as the others let it. */
function settle(row: Place[], wanted: number[]): void {
  let bottom = -Infinity;
  row.forEach((place, i) => {
    const half = heightOf(place) / 2;
    place.y = Math.max(wanted[i], bottom + half);
    bottom = place.y + half;
  });
  // Those that were pushed down move up again together: the critical path to where it would be, or else the row in the mean.
  const critical = row.findIndex(({ isCritical }) => isCritical);
  const shift = critical >= 0 ? wanted[critical] - row[critical].y : row.reduce((sum, place, i) => sum + wanted[i] - place.y, 0) / Math.max(1, row.length);
  for (const place of row) place.y += shift;
}

/** On the critical path the neighbor on it alone counts, so that the path is level. */
function meanOf(places: Place[], own: Place): number {
  const counted = own.isCritical && places.some(({ isCritical }) => isCritical) ? places.filter(({ isCritical }) => isCritical) : places;
  return counted.length === 0 ? own.y : counted.reduce((sum, { y }) => sum + y, 0) / counted.length;
}

/** Lays out a graph whose nodes come each after its predecessors. The nodes of `path` are to lie in a line. */
export function layOut(shapes: Shape[], path: number[]): Layout {
  const { nodes, rows, chains } = placesOf(shapes, path);
  for (const row of rows) settle(row, row.map((_, i) => i * (box.height + gap.y)));
  for (let sweep = 0; sweep < 8; ++sweep) {
    const isForth = sweep % 2 === 0;
    for (const row of isForth ? rows : [...rows].reverse()) {
      const wanted = new Map(row.map((place) => [place, meanOf(isForth ? place.before : place.after, place)]));
      row.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
      settle(row, row.map((place) => wanted.get(place)!));
    }
  }
  const all = rows.flat();
  const top = all.reduce((least, place) => Math.min(least, place.y - heightOf(place) / 2), Infinity);
  const height = all.reduce((most, place) => Math.max(most, place.y + heightOf(place) / 2), -Infinity) - top;
  const xOf = ({ layer }: Place) => layer * (box.width + gap.x);
  const yOf = ({ y }: Place) => Math.round(y - top);
  return {
    width: rows.length * (box.width + gap.x) - gap.x,
    height: Math.ceil(height),
    boxes: nodes.map((place) => ({ x: xOf(place), y: yOf(place) - box.height / 2, layer: place.layer })),
    edges: chains.map(({ from, to, places }) => ({
      from, to,
      points: places.flatMap((place, i): [number, number][] => {
        const left: [number, number] = [xOf(place), yOf(place)], right: [number, number] = [xOf(place) + box.width, yOf(place)];
        return i === 0 ? [right] : i === places.length - 1 ? [left] : [left, right];
      }),
    })),
  };
}

/** The path of an edge through its points: level at each of them. */
export function curveOf(points: [number, number][]): string {
  return points.map(([x, y], i) => {
    if (i === 0) return `M${x} ${y}`;
    const [fromX, fromY] = points[i - 1], middle = (fromX + x) / 2;
    return fromY === y ? `L${x} ${y}` : `C${middle} ${fromY} ${middle} ${y} ${x} ${y}`;
  }).join("");
}
