import { useEffect, useMemo } from "preact/hooks";
import { useKeys } from "../shared/keyboard";
import { ThemeButton } from "../shared/theme";
import { Controls } from "./controls";
import type { Story } from "./data";
import { DuelEnd, DuelVerdict, DuelView } from "./duel";
import { usePlayer } from "./player";
import { Race } from "./race";
import { Replay } from "./replay";
import { clockAt, isDuel, sentenceAt, tabTitles, type Place } from "./show";
import { Stage } from "./stage";
import { TourCaption, useTour } from "./tour-guide";
import { Legend, Tree } from "./tree";

export function App({ story }: { story: Story }) {
  const player = usePlayer(story);
  const { place } = player;
  const tour = useTour(story, player.setPlace);
  const touring = tour.at !== null;
  /** Whatever the reader does by hand ends the tour. */
  const byHand = (action: () => void) => () => { tour.leave(); action(); };
  const startTour = () => { player.setPlaying(false); tour.start(); };

  const tabKeys = Object.fromEntries(tabTitles(story).map((_, tab) => [String(tab + 1), byHand(() => player.openTab(tab))]));
  useKeys({
    ...tabKeys,
    " ": byHand(player.toggle),
    ArrowRight: touring ? tour.forward : () => player.goTo(place.step + 1),
    ArrowLeft: touring ? tour.back : () => player.goTo(place.step - 1),
    "Shift+ArrowRight": byHand(() => player.goTo(place.step + 10)),
    "Shift+ArrowLeft": byHand(() => player.goTo(place.step - 10)),
    ArrowDown: byHand(() => player.choose(place.choice + 1)),
    ArrowUp: byHand(() => player.choose(place.choice - 1)),
    Home: byHand(() => player.goTo(0)),
    End: byHand(() => player.goTo(player.last)),
    t: touring ? tour.leave : startTour,
    Escape: tour.leave,
  });

  const about = isDuel(story, place) ? story.duels[place.choice].about : story.scenes[place.tab].about;
  return (
    <>
      <header class="top">
        <div>
          <h1>How work stealing works</h1>
          <p class="soft lead">Step by step, from what a simulator that calls filch’s own decisions really did.</p>
        </div>
        <div class="tools">
          <button type="button" class="button" onClick={touring ? tour.leave : startTour}>{touring ? "Leave the tour" : "One-minute tour"} <kbd>T</kbd></button>
          <ThemeButton />
        </div>
      </header>
      <main data-touring={touring}>
        <Tabs story={story} chosen={place.tab} open={(tab) => byHand(() => player.openTab(tab))()} />
        <div class="scene" id="scene" role="tabpanel" aria-labelledby={`tab-${place.tab}`}>
          <p class="about">{about}</p>
          <section class="card show" aria-label="The picture">
            <div class="said" role="status" aria-live={player.isPlaying || touring ? "off" : "polite"}>
              <p class="sentence">{sentenceAt(story, place)}</p>
              {isDuel(story, place) && place.step === player.last && <DuelEnd duel={story.duels[place.choice]} />}
            </div>
            <Content story={story} place={place} />
            <Controls step={place.step} last={player.last} unit={isDuel(story, place) ? "" : `, clock ${clockAt(story, place)}`} isPlaying={player.isPlaying} speed={player.speed}
                      goTo={(step) => byHand(() => player.goTo(step))()} toggle={byHand(player.toggle)} setSpeed={player.setSpeed} />
          </section>
          <Beside story={story} place={place} choose={(choice) => byHand(() => player.choose(choice))()} />
        </div>
      </main>
      <footer class="soft">
        <p><kbd>space</kbd> play, pause <kbd>←</kbd> <kbd>→</kbd> step <kbd>shift</kbd> ten <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>home</kbd> <kbd>end</kbd> <kbd>1</kbd>–<kbd>5</kbd> scenes <kbd>T</kbd> tour</p>
        <p>One tick is what two workers compete for: a steal, an access to the shared queue, a task handed over. A worker’s own deque costs nothing beside that. Seed {story.seed}.</p>
      </footer>
      {touring && <TourCaption tour={tour} />}
    </>
  );
}

function Tabs({ story, chosen, open }: { story: Story; chosen: number; open: (tab: number) => void }) {
  const titles = tabTitles(story);
  useEffect(() => document.getElementById(`tab-${chosen}`)?.scrollIntoView({ block: "nearest", inline: "nearest" }), [chosen]);
  const turn = (event: KeyboardEvent) => {
    const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: titles.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = (to + titles.length) % titles.length;
    open(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Scenes" onKeyDown={turn}>
      {titles.map((title, tab) => (
        <button key={title} type="button" role="tab" id={`tab-${tab}`} aria-selected={tab === chosen} aria-controls="scene" tabIndex={tab === chosen ? 0 : -1} onClick={() => open(tab)}>
          <span class="digit" aria-hidden="true">{tab + 1}</span>{title}
        </button>
      ))}
    </div>
  );
}

function Content({ story, place }: { story: Story; place: Place }) {
  if (isDuel(story, place)) return <DuelView duel={story.duels[place.choice]} step={place.step} />;
  return <Schedule story={story} place={place} />;
}

function Schedule({ story, place }: { story: Story; place: Place }) {
  const scene = story.scenes[place.tab];
  const run = scene.runs[place.choice];
  const replay = useMemo(() => new Replay(run), [run]);
  const picture = replay.at(place.step);
  return (
    <div class="schedule">
      <Stage scene={scene} run={run} picture={picture} step={place.step === 0 ? null : run.steps[place.step - 1]} />
      <div class="computation">
        <Tree scene={scene} picture={picture} />
        <Legend />
      </div>
    </div>
  );
}

interface BesideProps {
  story: Story;
  place: Place;
  choose: (choice: number) => void;
}

function Beside({ story, place, choose }: BesideProps) {
  if (!isDuel(story, place)) {
    return <section class="card beside"><Race scene={story.scenes[place.tab]} chosen={place.choice} clock={clockAt(story, place)} choose={choose} /></section>;
  }
  return (
    <section class="card beside">
      <fieldset class="duels">
        <legend><h2>What can happen</h2></legend>
        {story.duels.map((duel, index) => (
          <label key={duel.id} class="choice" data-chosen={index === place.choice}>
            <input type="radio" name="duel" checked={index === place.choice} onChange={() => choose(index)} />
            <span>{duel.title}{duel.fault !== "" && <span class="flag"> goes wrong</span>}</span>
          </label>
        ))}
      </fieldset>
      <DuelVerdict duel={story.duels[place.choice]} />
    </section>
  );
}
