// Where the reader is: a tab, what is chosen in it, and a step. Scenes are tabs, and all duels share the last one.
import type { Story } from "./data";

export interface Place {
  tab: number;
  choice: number;
  step: number;
}

export const tabTitles = (story: Story) => [...story.scenes.map((scene) => scene.title), "Inside the deque"];
export const isDuel = (story: Story, place: Place) => place.tab >= story.scenes.length;

export function choiceCount(story: Story, place: Place): number {
  return isDuel(story, place) ? story.duels.length : story.scenes[place.tab].runs.length;
}

export function stepCount(story: Story, place: Place): number {
  return isDuel(story, place) ? story.duels[place.choice].frames.length : story.scenes[place.tab].runs[place.choice].steps.length;
}

/** What is said at `place`: the sentence of its last step, or what is about to be seen. */
export function sentenceAt(story: Story, place: Place): string {
  const about = isDuel(story, place) ? story.duels[place.choice] : story.scenes[place.tab].runs[place.choice];
  const steps = "frames" in about ? about.frames : about.steps;
  return place.step === 0 ? about.about : steps[place.step - 1].sentence;
}

export function clockAt(story: Story, place: Place): number {
  if (isDuel(story, place) || place.step === 0) return 0;
  return story.scenes[place.tab].runs[place.choice].steps[place.step - 1].clock;
}

/** The usual choice in a tab: work stealing among schedulers, the first of duels. */
export function usualChoice(story: Story, tab: number): number {
  const runs = story.scenes[tab]?.runs ?? [];
  return Math.max(0, runs.findIndex((run) => run.scheduler === "work_stealing"));
}
