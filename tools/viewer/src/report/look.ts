// How occupations look: a color and a pattern each, so that no two differ by color alone. Colors are those of Okabe and Ito.
import type { Theme } from "../shared/theme";

type Pattern = (x: number, y: number) => boolean;

/** A power of two. */
export const tileSize = 8;

const plain: Pattern = () => false;
const rising: Pattern = (x, y) => (x + y) % 4 === 0;
const falling: Pattern = (x, y) => (x - y + 8) % 4 === 0;
const horizontal: Pattern = (_, y) => y % 4 === 1;
const vertical: Pattern = (x) => x % 4 === 1;
const dots: Pattern = (x, y) => x % 4 === 1 && y % 4 === 1;
const fewDots: Pattern = (x, y) => (x % 8 === 1 && y % 8 === 1) || (x % 8 === 5 && y % 8 === 5);
const checks: Pattern = (x, y) => (x >> 1) % 2 === (y >> 1) % 2;
const crosses: Pattern = (x, y) => rising(x, y) || falling(x, y);
const dashes: Pattern = (x, y) => y % 4 === 1 && (x + (y & 4)) % 8 < 4;

/** Pattern, then ground and figure in light and in dark. Indexed by occupation. */
const looks: [Pattern, string, string, string, string][] = [
  [plain, "#0072b2", "#0072b2", "#3d9bd4", "#3d9bd4"], // working
  [dots, "#56b4e9", "#00507d", "#8fd0f5", "#12506f"], // forking
  [rising, "#e69f00", "#8a5c00", "#e69f00", "#7a5000"], // stealing
  [falling, "#f5ea6b", "#a3950c", "#e9dc4f", "#8d8110"], // searching
  [horizontal, "#dc9dbd", "#9c3f73", "#cc79a7", "#6f2650"], // waiting
  [vertical, "#35b08e", "#00694c", "#2fae8b", "#00553d"], // blocked
  [crosses, "#8b8f96", "#3c4047", "#8f959f", "#3a3f48"], // run_delay
  [checks, "#d55e00", "#f3a46c", "#e2701a", "#7a3300"], // neglected
  [fewDots, "#e9e6df", "#8b8778", "#2a303a", "#7d8797"], // starved
  [crosses, "#ffffff", "#c3bfb4", "#1c2027", "#59616e"], // unknown
  [dashes, "#bfe5d8", "#00694c", "#1d4a40", "#49c3a0"], // suspended
  [plain, "#f1efea", "#f1efea", "#22272f", "#22272f"], // parked
  [plain, "#ffffff", "#ffffff", "#1c2027", "#1c2027"], // away
  [dots, "#b9bcc2", "#3c4047", "#5a616d", "#d0d4da"], // contending
  [crosses, "#ffffff", "#c3bfb4", "#1c2027", "#59616e"], // lost
];

/** In which order they are stacked, from the bottom: what brings the program on first, what is nothing last. */
export const stackOrder = [0, 1, 4, 5, 6, 2, 3, 7, 10, 13, 9, 14, 8, 11, 12];

/** The colors of a look at a queue, in light and in dark: of a bar for the jobs seen, of a line if there were none. */
const depthColours = { light: ["#5b4b8a", "#b9b2cf"], dark: ["#b7a6ea", "#5a5276"] };
export const depthWords = (theme: Theme): [number, number] => [wordOf(depthColours[theme][0]), wordOf(depthColours[theme][1])];

const wordOf = (colour: string): number => {
  const rgb = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
};

/** A tile of pixels for each occupation, as words of an ImageData; `paler` is for what is not chosen. */
export function tilesOf(theme: Theme, paler = false): Uint32Array[] {
  return looks.map(([pattern, ground, figure, darkGround, darkFigure]) => {
    const words = (theme === "light" ? [ground, figure] : [darkGround, darkFigure]).map((colour) => wordOf(paler ? mixed(colour, theme) : colour));
    return Uint32Array.from({ length: tileSize * tileSize }, (_, i) => words[Number(pattern(i % tileSize, Math.floor(i / tileSize)))]);
  });
}

/** Most of the way to the card behind it. */
function mixed(colour: string, theme: Theme): string {
  const card = theme === "light" ? 0xffffff : 0x1c2027, own = parseInt(colour.slice(1), 16);
  const channel = (shift: number) => Math.round(0.84 * ((card >> shift) & 255) + 0.16 * ((own >> shift) & 255));
  return `#${((channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).padStart(6, "0")}`;
}

/** The same tiles for style sheets: `background-image` of each occupation. */
export function imagesOf(theme: Theme): string[] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = tileSize;
  const context = canvas.getContext("2d")!;
  return tilesOf(theme).map((tile) => {
    const image = context.createImageData(tileSize, tileSize);
    new Uint32Array(image.data.buffer).set(tile);
    context.putImageData(image, 0, 0);
    return `url(${canvas.toDataURL()})`;
  });
}
