// The picture of the timeline: lanes as pixels, and on them the steals, the chosen range and the axis.
import type { Theme } from "../shared/theme";
import { chosenLanes, isOfJobs, isStealChosen } from "./chosen";
import { Columns } from "./columns";
import type { Depths } from "./depths";
import { useCount } from "./details";
import { depthWords, tilesOf } from "./look";
import type { Narrowing } from "./narrow";
import { paintDepths, paintLane, type Band } from "./paint";
import type { Recording } from "./recording";
import { timeText } from "../shared/text";
import { firstAbove } from "./unpack";
import { ticksOf, type View } from "./view";

/** More arrows than this are a thicket. */
export const mostArrows = 300;
const depthBarWidth = 3;
const axisHeight = 24, poolHeight = 56, poolGap = 14;

/** Where things are, in pixels of the style sheet. */
export interface Layout {
  height: number;
  pool: Band;
  lanes: Band[];
  /** Under each lane, what others could take from the worker; of no height if no worker looked or there is no room. */
  depths: Band[];
}

export function layoutOf(workerCount: number, hasDepths: boolean): Layout {
  const plain = workerCount <= 8 ? 34 : workerCount <= 24 ? 24 : workerCount <= 64 ? 13 : 7;
  const under = !hasDepths || workerCount > 64 ? 0 : workerCount <= 8 ? 12 : workerCount <= 24 ? 8 : 5;
  const pitch = plain + under, gap = Math.max(2, Math.round(plain / 8));
  const first = axisHeight + poolHeight + poolGap;
  const lanes = Array.from({ length: workerCount }, (_, i) => ({ top: first + i * pitch, height: plain - gap }));
  const depths = lanes.map(({ top, height }) => ({ top: top + height + 1, height: Math.max(0, under - 1) }));
  return { height: first + workerCount * pitch, pool: { top: axisHeight, height: poolHeight }, lanes, depths };
}

/** The chosen steals of a view: how many, and which of them are arrows, which is all or none. */
export function stealsIn(from: Recording, view: View, narrowing: Narrowing): { count: number; arrows: number[] } {
  const first = firstAbove(from.steals.times, view.begin - 0.5), last = firstAbove(from.steals.times, view.end), arrows: number[] = [];
  const isAny = narrowing.worker === null && !isOfJobs(narrowing);
  if (isAny && last - first > mostArrows) return { count: last - first, arrows };  // a hundred thousand need not be looked at each frame
  let count = 0;
  for (let i = first; i < last; ++i) {
    if (isStealChosen(from, narrowing, i) && ++count <= mostArrows) arrows.push(i);
  }
  return { count, arrows: count > mostArrows ? [] : arrows };
}

/** How far beside an arrow still is on it. */
const nearArrow = 4;

/** The steal whose arrow is at a place of the picture, or -1. */
export function stealAt(from: Recording, layout: Layout, arrows: number[], toX: (time: number) => number, x: number, y: number): number {
  const { times, thieves, victims } = from.steals;
  let [nearest, distance] = [-1, nearArrow];
  for (const i of arrows) {
    const [a, b] = [middleOf(layout.lanes[thieves[i]]), middleOf(layout.lanes[victims[i]])];
    const away = Math.abs(toX(times[i]) - x);
    if (away <= distance && y >= Math.min(a, b) - nearArrow && y <= Math.max(a, b) + nearArrow) [nearest, distance] = [i, away];
  }
  return nearest;
}

export class Scene {
  private readonly tiles: Record<string, Uint32Array[]>;
  private readonly depthColours: [number, number];
  private readonly deepest: number;
  private image: ImageData | null = null;
  /** The columns of one lane after the other, and of all slots. */
  private columns = new Columns(0);
  private pool = new Columns(0);

  constructor(private readonly from: Recording, private readonly layout: Layout, theme: Theme) {
    this.depthColours = depthWords(theme);
    this.deepest = deepestOf(from);
    this.tiles = { full: tilesOf(theme), pale: tilesOf(theme, true) };
  }

  draw(canvas: HTMLCanvasElement, view: View, narrowing: Narrowing): void {
    const context = canvas.getContext("2d")!;
    const scale = canvas.height / this.layout.height;
    if (this.image?.width !== canvas.width || this.image.height !== canvas.height) this.image = context.createImageData(canvas.width, canvas.height);
    if (this.columns.count !== canvas.width) [this.columns, this.pool] = [new Columns(canvas.width), new Columns(canvas.width)];
    this.image.data.fill(0);
    this.pool.clear(uses);
    this.from.workers.forEach(({ lane, depths }, worker) => {
      const columns = lane.columns(view.begin, view.end, this.columns);
      this.paintWorker(worker, columns, view, narrowing, scale);
      this.paintDepths(this.layout.depths[worker], depths, view, scale);
      this.pool.add(columns);
    });
    this.pool.add(this.from.free.columns(view.begin, view.end, this.columns));
    this.paintPool(view, narrowing, scale);
    context.putImageData(this.image, 0, 0);
    context.save();
    context.scale(scale, scale);
    const ink = inkOf(canvas);
    this.drawAxis(context, view, canvas.width / scale, ink);
    this.drawSteals(context, view, narrowing, canvas.width / scale, ink);
    this.drawRange(context, view, narrowing, canvas.width / scale, ink);
    context.restore();
  }

  private paint(band: Band, columns: Columns, capacity: number, scale: number, tiles: Uint32Array[]): void {
    paintLane(this.image!, inPixels(band, scale), columns, capacity, tiles);
  }

  private paintDepths(band: Band, of: Depths, { begin, end }: View, scale: number): void {
    if (band.height === 0) return;
    const { width } = this.image!, barWidth = Math.max(1, Math.round(depthBarWidth * scale)), count = Math.ceil(width / barWidth);
    const columns = of.columns(begin, begin + ((end - begin) * count * barWidth) / width, count);
    paintDepths(this.image!, inPixels(band, scale), columns, barWidth, this.deepest, this.depthColours);
  }

  private paintPool({ begin, end }: View, narrowing: Narrowing, scale: number): void {
    const capacity = (this.from.report.budget.slots * (end - begin)) / this.image!.width;
    this.paint(this.layout.pool, this.pool, capacity, scale, narrowing.worker === null && !isOfJobs(narrowing) ? this.tiles.full : this.tiles.pale);
  }

  private paintWorker(worker: number, columns: Columns, { begin, end }: View, narrowing: Narrowing, scale: number): void {
    const { width } = this.image!;
    const band = this.layout.lanes[worker], capacity = (end - begin) / width;
    const isChosen = narrowing.worker === null || narrowing.worker === worker;
    this.paint(band, columns, capacity, scale, isChosen && !isOfJobs(narrowing) ? this.tiles.full : this.tiles.pale);
    if (!isChosen || !isOfJobs(narrowing)) return;
    const own = chosenLanes(this.from, narrowing)?.[worker].columns(begin, end, new Columns(width));
    if (own) this.paint(band, own, capacity, scale, this.tiles.full);
  }

  private drawAxis(context: CanvasRenderingContext2D, view: View, width: number, ink: Ink): void {
    const toX = (time: number) => ((time - view.begin) / (view.end - view.begin)) * width;
    const { step, times } = ticksOf(view, ((view.end - view.begin) * 110) / width);
    context.font = `12px ${ink.font}`;
    context.fillStyle = ink.soft;
    for (const time of times) {
      context.fillRect(Math.round(toX(time)), axisHeight - 6, 1, 5);
      if (toX(time) < width - 60) context.fillText(timeText(time, step), Math.round(toX(time)) + 4, axisHeight - 8);
    }
  }

  private drawSteals(context: CanvasRenderingContext2D, view: View, narrowing: Narrowing, width: number, ink: Ink): void {
    const { times, thieves, victims } = this.from.steals;
    for (const i of stealsIn(this.from, view, narrowing).arrows) {
      const x = ((times[i] - view.begin) / (view.end - view.begin)) * width;
      drawArrow(context, x, middleOf(this.layout.lanes[victims[i]]), middleOf(this.layout.lanes[thieves[i]]), ink);
    }
  }

  private drawRange(context: CanvasRenderingContext2D, view: View, { range }: Narrowing, width: number, ink: Ink): void {
    if (!range) return;
    const toX = (time: number) => Math.min(Math.max(((time - view.begin) / (view.end - view.begin)) * width, 0), width);
    const [left, right] = [toX(range[0]), toX(range[1])], height = this.layout.height;
    context.fillStyle = ink.card;
    context.globalAlpha = 0.72;
    context.fillRect(0, axisHeight, left, height);
    context.fillRect(right, axisHeight, width - right, height);
    context.globalAlpha = 1;
    context.fillStyle = ink.accent;
    context.fillRect(left, axisHeight - 4, Math.max(right - left, 1), 4);
    for (const x of [left, right - 1.5]) context.fillRect(x, axisHeight, 1.5, height);
  }
}

const uses = Array.from({ length: useCount }, (_, o) => o);

const inPixels = ({ top, height }: Band, scale: number): Band => ({ top: Math.round(top * scale), height: Math.round(height * scale) });

/** The most that was seen at any worker, and one more; 0 if no worker ever looked. */
export const deepestOf = (from: Recording): number => from.workers.reduce((most, { depths }) => Math.max(most, depths.most), 0);

interface Ink {
  ink: string;
  soft: string;
  card: string;
  accent: string;
  font: string;
}

/** The colors of the page, as the theme has them now. */
function inkOf(element: HTMLElement): Ink {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return { ink: value("--ink"), soft: value("--soft"), card: value("--card"), accent: value("--accent"), font: value("--sans") };
}

const middleOf = ({ top, height }: Band): number => top + height / 2;

/** An arrow from the victim to the thief, with a light edge that shows on any ground. */
function drawArrow(context: CanvasRenderingContext2D, x: number, from: number, to: number, ink: Ink): void {
  const back = to > from ? -6 : 6;
  for (const [colour, width] of [[ink.card, 3.5], [ink.ink, 1.25]] as const) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, from);
    context.lineTo(x, to + back / 2);
    context.moveTo(x - 3.5, to + back);
    context.lineTo(x, to);
    context.lineTo(x + 3.5, to + back);
    context.stroke();
    context.beginPath();
    context.arc(x, from, width, 0, 7);
    context.fill();
  }
}
