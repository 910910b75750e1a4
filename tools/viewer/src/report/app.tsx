import { useMemo, useState } from "preact/hooks";
import { useKeys } from "../shared/keyboard";
import { ThemeButton, useTheme } from "../shared/theme";
import { Budget } from "./budget";
import type { Data } from "./data";
import { Graphs } from "./graphs";
import { Histogram } from "./histogram";
import { useLater } from "./later";
import { watchedJobs } from "./lengths";
import { imagesOf } from "./look";
import { Matrix } from "./matrix";
import { everything, figuresOf, isNarrowed, spentIn, whereMostLies, wholeMatrix, type Figures, type Narrowing } from "./narrow";
import type { Recording } from "./recording";
import { Scalability } from "./scalability";
import { deepestOf } from "./scene";
import { Sites } from "./sites";
import { durationText, lengthText, nounText, percentText, timeText } from "../shared/text";
import { Timeline } from "./timeline";
import { Verdict } from "./verdict";
import { Watched } from "./watched";
import { Workers } from "./workers";

export function App({ data, from }: { data: Data; from: Recording }) {
  const { report } = data;
  const [narrowing, setNarrowing] = useState<Narrowing>(everything);
  const narrow = (to: Partial<Narrowing>) => setNarrowing((now) => ({ ...now, ...to }));
  const clear = () => setNarrowing(everything);
  useKeys({ Escape: clear });

  const theme = useTheme();
  const images = useMemo(() => imagesOf(theme), [theme]);
  const spent = useMemo(() => spentIn(from, narrowing), [from, narrowing]);
  const settled = useLater(narrowing);
  const part = useMemo<Figures | null>(() => (isNarrowed(settled) ? figuresOf(from, settled) : null), [from, settled]);

  const { slots } = report.budget, analysis = report.analysis ?? data.alone?.analysis;
  const watched = report.analysis ? watchedJobs(report.analysis.sites) : [];
  const jobs = watched.length > 0 ? watched : report.summary.jobs.histogram;
  const wholeOnly = watched.length > 0 ? "Jobs were watched, not recorded one by one" : from.jobs === null ? "Too many jobs for a page to carry each" : null;
  const pools = report.pools === 1 ? "" : `, pool ${report.pool} of ${report.pools}`;
  const totals = data.occupations.map(({ name }) => report.budget.ns[name] ?? 0);
  const showUse = (use: string) => {
    const o = data.occupations.findIndex(({ name }) => name === use);
    return (totals[o] ?? 0) > 0 ? () => narrow({ range: whereMostLies(from, everything, o) }) : null;
  };
  const spentTotal = spent.reduce((a, b) => a + b, 0);
  return (
    <>
      <header class="top">
        <div>
          <h1>Where the time went</h1>
          <p class="soft lead"><strong class="program" title={report.program}>{report.program.slice(report.program.lastIndexOf("/") + 1)}</strong>: {durationText(report.length_ns)}, {nounText(slots, "slots")}{pools}</p>
        </div>
        <ThemeButton />
      </header>
      <main>
        <section class="card block" aria-label="Verdict">
          <Verdict report={report} show={showUse} />
          <Budget data={data} spent={totals} total={report.budget.total_ns} images={images} whose="all slots"
                  choose={(o) => narrow({ range: whereMostLies(from, everything, o) })} />
        </section>
        <Timeline data={data} from={from} narrowing={narrowing} narrow={narrow}>
          <Workers data={data} from={from} narrowing={settled} narrow={narrow} />
        </Timeline>
        {isNarrowed(narrowing) && (
          <section class="card block narrowed" aria-label="Narrowed">
            <div class="heading">
              <h2>Narrowed to <Chips data={data} from={from} narrowing={narrowing} narrow={narrow} /></h2>
              <button type="button" class="button" onClick={clear}>Everything again <kbd>esc</kbd></button>
            </div>
            <Budget data={data} spent={spent} total={spentTotal} images={images} whose="what is chosen"
                    choose={(o) => narrow({ range: whereMostLies(from, narrowing, o) })} />
          </section>
        )}
        <Graphs from={from} narrowing={settled} narrow={narrow} />
        <div class="trio">
          <Scalability data={data} part={part && part.length > 0 ? part.spent[0] / part.length : null} />
          <Matrix from={from} matrix={part?.matrix ?? wholeMatrix(from)} narrowing={narrowing} narrow={narrow} />
          <Histogram histogram={part?.jobs ?? jobs} count={part?.jobCount ?? jobs.reduce((sum, { count }) => sum + count, 0)} wholeOnly={wholeOnly} isPart={part !== null} narrowing={narrowing} narrow={narrow} />
        </div>
        {analysis && analysis.sites.length > 0 && <Watched analysis={analysis} isAlone={!report.analysis} slots={slots} chosenFrom={report.sites} narrowing={narrowing} narrow={narrow} />}
        <Sites data={data} part={part?.sites ?? null} narrowing={narrowing} narrow={narrow} total={part ? part.total : report.budget.total_ns} />
      </main>
      <footer class="soft">
        <p><kbd>←</kbd> <kbd>→</kbd> move <kbd>shift</kbd> a screen <kbd>+</kbd> <kbd>−</kbd> magnify <kbd>0</kbd> whole run <kbd>N</kbd> narrow to the view <kbd>Z</kbd> show what is chosen <kbd>esc</kbd> everything again. With a mouse: drag chooses a time, the wheel magnifies, shift moves.</p>
        <p><Trust data={data} narrow={narrow} />{deepestOf(from) === 0 && " How full the queues were it does not say."}</p>
      </footer>
    </>
  );
}

/** How far to believe all this, and the way to what can be believed. */
function Trust({ data: { report: { trust, length_ns } }, narrow }: { data: Data; narrow: (to: Partial<Narrowing>) => void }) {
  const forks = trust.forks_estimated > 0 && ` Forking is estimated: ${nounText(trust.forks_estimated, "forks")} at ${trust.fork_ns.toFixed(1)} ns.`;
  const retired = trust.reused_rings > 0 && ` ${nounText(trust.reused_rings, "workers")} that had gone left no records, as their rings were needed.`;
  const sampled = trust.sampled_work_share > 0 && ` In ${percentText(trust.sampled_work_share)} of the work short jobs are sampled.`;
  if (trust.lost_records === 0 && trust.observed_share >= 1) {
    return <>{retired ? "What is here is complete" : "The recording is complete"}; {percentText(trust.work_with_site_share)} of the work is in recorded jobs.{sampled}{retired}{forks}</>;
  }
  const isLater = trust.complete_from_ns > 0 && trust.complete_from_ns < length_ns;
  const complete = `complete from ${durationText(trust.complete_from_ns)}`;
  return (
    <>
      {percentText(trust.observed_share)} of the time is known; {nounText(trust.lost_records, "records")} are lost, of {nounText(trust.workers_with_losses, "workers")};{" "}
      {isLater ? <button type="button" class="link" onClick={() => narrow({ range: [trust.complete_from_ns, length_ns] })}>{complete}</button> : complete}.{sampled}{retired}{forks}
    </>
  );
}

interface ChipsProps {
  data: Data;
  from: Recording;
  narrowing: Narrowing;
  narrow: (to: Partial<Narrowing>) => void;
}

/** What is chosen, each part with a way to let go of it. */
function Chips({ data, from, narrowing: { range, worker, site, length }, narrow }: ChipsProps) {
  const step = range ? (range[1] - range[0]) / 100 : 1;
  return (
    <>
      {range && <Chip text={`${timeText(range[0], step)} to ${timeText(range[1], step)}`} drop={() => narrow({ range: null })} />}
      {worker !== null && <Chip text={`worker ${from.workers[worker].index}`} drop={() => narrow({ worker: null })} />}
      {site !== null && <Chip text={data.report.sites[site - 1].name} drop={() => narrow({ site: null })} />}
      {length && <Chip text={lengthText(length)} drop={() => narrow({ length: null })} />}
    </>
  );
}

function Chip({ text, drop }: { text: string; drop: () => void }) {
  return <button type="button" class="chip" title="Let go of it" aria-label={`${text}; let go of it`} onClick={drop}>{text} <span aria-hidden="true">×</span></button>;
}
