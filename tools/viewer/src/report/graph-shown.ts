// Which nodes of a graph the page draws, and which of them are chosen.
import type { GraphNode, GraphRun } from "./data";
import type { Narrowing } from "./narrow";
import type { Recording } from "./recording";

/** More do not fit into a picture that people can read. */
export const mostDrawn = 300;

export interface ShownNode extends GraphNode {
  isCritical: boolean;
  /** The node behind it on the critical path, as drawn; -1: there is none. */
  next: number;
  /** Its place in the table of sites, counted from one; 0: it is not there. */
  site: number;
  /** The number of its worker's lane; -1: the page has none. */
  lane: number;
  /** From begin to end, if the recording has its job. */
  range: [number, number] | null;
}

/** The nodes in the order of the run, with successors among themselves; of a large graph the critical path and what lies beside it. */
export function shownOf(run: GraphRun, from: Recording): ShownNode[] {
  const critical = new Set(run.critical_path);
  const chosen = run.nodes.length <= mostDrawn ? run.nodes.map((_, i) => i) : nearestTo(run, critical);
  const placeOf = new Map(chosen.map((node, place) => [node, place]));
  const jobs = jobsIn(run, from);
  const followers = new Map(run.critical_path.map((node, i) => [node, placeOf.get(run.critical_path[i + 1]) ?? -1]));
  return chosen.map((i) => {
    const node = run.nodes[i];
    const site = from.report.sites.findIndex(({ name }) => name === node.name) + 1;
    const lane = from.report.pools === 1 && node.worker !== null ? from.workers.findIndex(({ index }) => index === node.worker) : -1;
    return {
      ...node, site, lane, isCritical: critical.has(i), next: followers.get(i) ?? -1, range: jobs(site, lane),
      successors: node.successors.flatMap((next) => placeOf.get(next) ?? []),
    };
  });
}

/** The critical path, then its neighbors, those with the least slack first. */
function nearestTo({ nodes, critical_path }: GraphRun, critical: Set<number>): number[] {
  const beside = new Set<number>();
  nodes.forEach(({ successors }, i) => successors.forEach((next) => {
    if (critical.has(i)) beside.add(next);
    if (critical.has(next)) beside.add(i);
  }));
  const neighbors = [...beside].filter((i) => !critical.has(i)).sort((a, b) => nodes[a].slack_ns - nodes[b].slack_ns);
  return [...critical_path, ...neighbors].slice(0, mostDrawn).sort((a, b) => a - b);
}

/** Finds the one job of a site that a worker ran during the run. Several nodes of one name cannot be told apart. */
function jobsIn({ begin_ns, wall_ns }: GraphRun, { jobs }: Recording): (site: number, lane: number) => [number, number] | null {
  const found = new Map<string, [number, number] | null>();
  const end = begin_ns + wall_ns;
  jobs?.begins.forEach((begin, i) => {
    if (begin < begin_ns || begin > end || !jobs.ended[i]) return;
    const key = `${jobs.sites[i]} ${jobs.workers[i]}`;
    found.set(key, found.has(key) ? null : [begin, begin + jobs.lengths[i]]);
  });
  return (site, lane) => found.get(`${site} ${lane}`) ?? null;
}

/** Whether what the page is narrowed to holds the node. */
export function isNodeChosen({ range, worker, site, length }: Narrowing, node: ShownNode, { begin_ns, wall_ns }: GraphRun): boolean {
  const [begin, end] = node.range ?? [begin_ns, begin_ns + wall_ns];
  return (site === null || site === node.site) && (worker === null || worker === node.lane) && (length === null || (node.ns >= length[0] && node.ns < length[1])) && (range === null || (begin < range[1] && end > range[0]));
}

