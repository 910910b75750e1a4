import { Icon } from "../shared/icons";

export const speeds = [0.5, 1, 2, 4, 8];

interface Props {
  step: number;
  last: number;
  unit: string;
  isPlaying: boolean;
  speed: number;
  goTo: (step: number) => void;
  toggle: () => void;
  setSpeed: (speed: number) => void;
}

export function Controls({ step, last, unit, isPlaying, speed, goTo, toggle, setSpeed }: Props) {
  return (
    <div class="controls" role="group" aria-label="Playing">
      <div class="buttons">
        <button type="button" class="icon-button" aria-label="To the start" title="To the start (Home)" disabled={step === 0} onClick={() => goTo(0)}><Icon name="first" /></button>
        <button type="button" class="icon-button" aria-label="Step back" title="Step back (←)" disabled={step === 0} onClick={() => goTo(step - 1)}><Icon name="back" /></button>
        <button type="button" class="icon-button primary" aria-label={isPlaying ? "Pause" : "Play"} title={`${isPlaying ? "Pause" : "Play"} (space)`} onClick={toggle}>
          <Icon name={isPlaying ? "pause" : "play"} />
        </button>
        <button type="button" class="icon-button" aria-label="Step forward" title="Step forward (→)" disabled={step === last} onClick={() => goTo(step + 1)}><Icon name="forward" /></button>
        <button type="button" class="icon-button" aria-label="To the end" title="To the end (End)" disabled={step === last} onClick={() => goTo(last)}><Icon name="last" /></button>
      </div>
      <label class="scrub">
        <span class="only-heard">Step</span>
        <input type="range" min="0" max={last} value={step} aria-valuetext={`step ${step} of ${last}`} onInput={(event) => goTo(Number(event.currentTarget.value))} />
      </label>
      <output class="count">step {step} of {last}{unit}</output>
      <label class="speed">
        <span class="soft">speed</span>
        <select value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
          {speeds.map((each) => <option key={each} value={each}>{each}×</option>)}
        </select>
      </label>
    </div>
  );
}
