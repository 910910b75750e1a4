// The guided tour: a minute, stop by stop. A stop says where to look by what happens there, not by the number of a step.
import type { Run, Story } from "./data";
import type { Place } from "./show";

export interface Stop {
  seconds: number;
  caption: string;
  from: Place;
  to: Place;
}

/** The number of steps up to and with the first that has this action, from the one after `start` on. */
function after(run: Run, action: string, start = 0): number {
  const found = run.steps.findIndex((step, index) => index >= start && step.action === action);
  return found < 0 ? run.steps.length : found + 1;
}

export function tourOf(story: Story): Stop[] {
  const tabOf = (id: string) => story.scenes.findIndex((scene) => scene.id === id);
  const choiceOf = (tab: number, scheduler: string) => story.scenes[tab].runs.findIndex((run) => run.scheduler === scheduler);
  const place = (id: string, scheduler: string) => {
    const tab = tabOf(id);
    const choice = choiceOf(tab, scheduler);
    return { tab, choice, run: story.scenes[tab].runs[choice], scene: story.scenes[tab] };
  };
  const stop = (seconds: number, at: { tab: number; choice: number }, from: number, to: number, caption: string): Stop => ({
    seconds, caption, from: { tab: at.tab, choice: at.choice, step: from }, to: { tab: at.tab, choice: at.choice, step: to },
  });

  const stealing = place("skewed", "work_stealing");
  const split = place("skewed", "static_split");
  const balanced = place("balanced", "static_split");
  const push = after(stealing.run, "push");
  const reach = after(stealing.run, "steal_try");
  const win = after(stealing.run, "steal_win");
  const lose = after(stealing.run, "steal_lose");
  const pop = after(stealing.run, "pop", lose);
  const end = stealing.run.steps.length;
  const duels = story.scenes.length;
  const broken = { tab: duels, choice: story.duels.findIndex((duel) => duel.id === "no_claim") };
  const ticks = (at: { run: Run }) => `${at.run.makespan} ticks`;

  return [
    stop(6, stealing, 0, 0, "Four workers, one program. It is a tree of tasks, and nobody knows its shape before it has run."),
    stop(6, stealing, 0, push, "Worker 1 begins. A task that forks puts one branch into its worker’s own deque, and goes on with the other."),
    stop(6, stealing, push, reach, "The others have nothing. Nobody hands them work: they look for it, and become thieves."),
    stop(7, stealing, reach, win, "A thief takes the oldest task, at the far end. In a tree that is the biggest piece there is, so one steal feeds it for long."),
    stop(6, stealing, win, lose, "Two may reach for the same task. One has it, the other comes too late, and looks elsewhere."),
    stop(7, stealing, lose, pop, "Meanwhile owners work at the young end, undisturbed. The two ends meet only when one task is left."),
    stop(7, stealing, pop, end, `Idle workers pay for balance, busy ones do not. The end: ${ticks(stealing)}; the longest path alone takes ${stealing.scene.span}.`),
    stop(5, split, 0, split.run.steps.length, `The same tree, cut in advance: ${ticks(split)}. One worker got the heavy branch, and nobody may help.`),
    stop(4, balanced, 0, balanced.run.steps.length, `Where all branches are alike the plan is perfect. Stealing comes within ${place("balanced", "work_stealing").run.makespan - balanced.run.makespan} ticks of it.`),
    stop(6, broken, 0, story.duels[broken.choice].frames.length, "And if one task is left, and both ends want it? Without one compare-and-swap both get it. Look inside, with key 5, also at release, acquire and seq_cst."),
  ];
}

/** Where the tour shows after `seconds` at a stop: it arrives a moment before the caption goes. */
export function placeAt(stop: Stop, seconds: number): Place {
  const share = Math.min(1, seconds / (stop.seconds * 0.8));
  return { ...stop.to, step: Math.round(stop.from.step + share * (stop.to.step - stop.from.step)) };
}
