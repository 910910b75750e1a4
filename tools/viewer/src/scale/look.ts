// A workload has a color, a dash and a mark: colors alone do not tell thirty apart.
export interface Look {
  color: string;
  dash: number[];
}

const dashes = [[], [10, 4], [3, 4], [12, 4, 3, 4]];
const colors = 8;

export const lookOf = (index: number): Look => ({ color: `--curve-${(index % colors) + 1}`, dash: dashes[Math.floor(index / colors) % dashes.length] });
