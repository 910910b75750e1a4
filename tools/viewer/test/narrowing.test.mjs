// Clicking anything narrows everything: steals, gaps, findings, figures and code.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, writtenPage } from "./browser.mjs";
import { busyRun, nestedRun, shortestRun } from "./recordings.mjs";
import { onPageOf, percent, settled, stealsShown } from "./report_page.mjs";

let browser, busy;
before(async () => {
  browser = await launch();
  busy = writtenPage("report", busyRun({ workers: 4, rounds: 80 }));
});
after(async () => {
  await browser?.close();
  busy?.remove();
});

/** Runs `check` on the page of a recording, with what the program says of it. */
async function onRun(recording, check, options = {}) {
  const at = writtenPage("report", recording);
  try {
    await onPageOf(browser, at, options, (page) => check(page, at));
  } finally {
    at.remove();
  }
}
const onBusy = (check) => onPageOf(browser, busy, {}, check);
const chips = (page) => page.locator(".chip").allTextContents().then((all) => all.map((text) => text.replace(/ ×$/, "")));
const lineUnderTimeline = (page) => page.locator(".pointed").innerText();

// Where things are in the picture, as scene.ts lays them out if no worker looked at queues.
const firstLane = 24 + 56 + 14, laneHeight = 30, pitch = 34;
const middleOf = (lane) => firstLane + lane * pitch + laneHeight / 2;
const gapBelow = (lane) => firstLane + lane * pitch + laneHeight + 2;

/** The picture, as lists of words of a row. */
const rowsOf = (page) => page.locator(".plot > canvas").evaluate((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const words = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return Array.from({ length: canvas.height }, (_, y) => [...words.subarray(y * canvas.width, (y + 1) * canvas.width)]);
});
/** Where there is something, each run of pixels by its middle. */
function runsOf(isThere) {
  const middles = [];
  for (let x = 0, begin = -1; x <= isThere.length; ++x) {
    if (isThere[x] && begin < 0) begin = x;
    if (!isThere[x] && begin >= 0) { middles.push((begin + x) / 2); begin = -1; }
  }
  return middles;
}
const arrowsIn = (rows) => runsOf(rows[gapBelow(0)].map((word) => word !== 0));

test("a steal is an arrow at its time, from its victim to its thief", () => onRun(nestedRun(), async (page, at) => {
  const rows = await rowsOf(page), width = rows[0].length;
  const expected = [10_000, 29_000].map((time) => (time / 100_000) * width);
  const found = arrowsIn(rows);
  assert.equal(found.length, 2, `arrows at ${found}`);
  found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= 1.5, `${x} is not ${expected[i]}`));
  assert.match(await lineUnderTimeline(page), /2 steals: arrows from victim to thief/);
  // The same page without steals differs in the arrows alone: wide at the thief, which is worker 0, and narrow at the victim.
  const file = fileURLToPath(at.address), bare = file.replace(/html$/, "bare.html");
  writeFileSync(bare, readFileSync(file, "utf8").replace(/"steals":"[^"]+"/, '"steals":""'));
  await onPageOf(browser, { address: pathToFileURL(bare).href }, {}, async (other) => {
    const without = await rowsOf(other);
    assert.deepEqual(arrowsIn(without), []);
    const widthAt = (y) => rows[y].slice(0, expected[1] - 20).filter((word, x) => word !== without[y][x]).length;
    assert.ok(widthAt(middleOf(0) + 5) > widthAt(middleOf(1) - 6), `${widthAt(middleOf(0) + 5)} wide at the thief, ${widthAt(middleOf(1) - 6)} at the victim`);
    assert.equal(widthAt(middleOf(0) - 8), 0, "it ends there");
  });
}));

test("pointing at an arrow names the thief and what it took, and a click narrows to that", () => onRun(nestedRun(), async (page) => {
  const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
  for (const [time, lasted, site, chosen] of [[10_000, "80 us", "outer", "10.0 us to 90.0 us"], [29_000, "4.0 us", "inner", "29.00 us to 34.00 us"]]) {
    const arrow = [x + (time / 100_000) * width + 1, y + gapBelow(0)];
    await page.mouse.move(...arrow);
    assert.match(await lineUnderTimeline(page), new RegExp(`worker 0 took ${site}\\(range\\) from worker 1, which took ${lasted}`));
    await page.mouse.click(...arrow);
    await settled(page);
    assert.deepEqual(await chips(page), [chosen, "worker 0"]);
    await page.keyboard.press("Escape");
    await settled(page);
  }
}));

test("where the view has moved, the line under it and the arrows are those of the view", () => onRun(nestedRun(), async (page) => {
  await page.keyboard.press("+");
  await settled(page);
  assert.match(await lineUnderTimeline(page), /^60 us in view, 1 steal: arrows/);
  const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
  await page.mouse.move(x + ((29_000 - 20_000) / 60_000) * width + 1, y + gapBelow(0));
  assert.match(await lineUnderTimeline(page), /took inner\(range\) from worker 1/);
}));

test("arrows are those of what is chosen, and appear as soon as those are few", () => onRun(nestedRun(), async (page) => {
  await page.locator(".sites .link", { hasText: "inner" }).click();
  await settled(page);
  const rows = await rowsOf(page), [only, ...others] = arrowsIn(rows);
  assert.deepEqual(others, []);
  assert.ok(Math.abs(only - 0.29 * rows[0].length) <= 1.5);
  assert.match(await lineUnderTimeline(page), /1 steal: arrows/);
}).then(() => onBusy(async (page) => {
  assert.match(await lineUnderTimeline(page), /320 steals; magnify to see each/);
  await page.getByRole("button", { name: "Worker 1", exact: true }).click();
  await settled(page);
  const shown = await stealsShown(page);
  assert.ok(shown > 0 && shown <= 300);
  assert.match(await lineUnderTimeline(page), new RegExp(`${shown} steals: arrows`));
})));

/** Two workers that work all the time; of the second one the first half is lost. */
function halfLost() {
  const said = [[0, 0], [50_000, 1]].map(([at, worker]) => [at, worker, "jobs_run", "working", worker, 65535, 1, "not_looked"]);
  return {
    ...nestedRun(), program: "gap", entries: said,
    workers: [0, 1].map((index) => ({ pool: 0, index, thread_id: 4711 + index, complete_from_ns: 50_000 * index, lost: 7 * index })),
  };
}

test("records that are lost are a gap that says so, and narrows to itself", () => onRun(halfLost(), async (page, { story }) => {
  const rows = await rowsOf(page), width = rows[0].length, half = width / 2;
  const coloursOf = (lane, from, to) => new Set(rows.slice(firstLane + lane * pitch + 2, firstLane + lane * pitch + laneHeight - 2).flatMap((row) => row.slice(from, to)));
  const [known, gap] = [coloursOf(1, half + 2, width), coloursOf(1, 0, half - 2)];
  assert.equal(known.size, 1, "work is plain");
  assert.equal(gap.size, 2, "a gap has a pattern");
  assert.deepEqual([...gap].filter((word) => known.has(word)), []);
  assert.deepEqual(coloursOf(0, 0, half - 2), known);
  assert.equal(percent(story.budget.share.unknown), "25 %");
  const { x, y } = await page.locator(".plot > canvas").boundingBox();
  const inGap = [x + width / 4, y + middleOf(1)];
  await page.mouse.move(...inGap);
  assert.match(await lineUnderTimeline(page), /worker 1 lost for 50 us/);
  await page.mouse.click(...inGap);
  await settled(page);
  assert.deepEqual(await chips(page), ["0.0 us to 50.0 us"]);
  assert.match(await page.locator(".narrowed .legend li[data-use=unknown]").innerText(), /^50 %/);
  assert.deepEqual(await page.locator(".twin tbody tr").evaluateAll((all) => all.map((row) => row.cells[row.cells.length - 1].textContent)), ["0", "7"]);
  await page.keyboard.press("Escape");
  assert.match(await page.locator("footer").innerText(), /75 % of the time is known; 7 records are lost, of 1 worker/);
  await page.locator("footer button").click();
  await settled(page);
  assert.deepEqual(await chips(page), ["50.0 us to 100.0 us"]);
  assert.equal(await page.locator(".narrowed .legend li[data-use=unknown]").count(), 0);
}));

test("two places with one name are two: each link chooses its own", () => {
  const twins = busyRun({ workers: 3, rounds: 40 });
  for (const site of twins.sites.slice(1)) site.name = "sort(range)::{lambda}";
  const where = (site) => ({ ...site, forks: 10, leaves: 10, leaf_ns: 1e6, work_ns: 1e6, span_ns: 1e5 });
  const analysis = { work_ns: 3e6, span_ns: 3e5, burdened_span_ns: 4e5, forks: 30, sites: twins.sites.slice(1).map(where) };
  return onRun({ ...twins, analysis }, async (page, { story }) => {
    const watched = page.locator("section[aria-labelledby=watched-title] .link"), code = page.locator("section[aria-labelledby=sites-title] tbody tr");
    assert.equal(await watched.count(), 3);
    for (let i = 0; i < 3; ++i) {
      await watched.nth(i).click();
      await settled(page);
      assert.deepEqual(await watched.evaluateAll((all) => all.map((link) => link.getAttribute("aria-pressed"))), [0, 1, 2].map((each) => String(each === i)));
      const { offset } = story.analysis.sites[i], { jobs } = story.sites.find((each) => each.offset === offset);
      assert.deepEqual(await code.evaluateAll((all) => all.map((row) => row.cells[1].textContent)), [String(jobs)]);
      await watched.nth(i).click();
      await settled(page);
      assert.equal(await page.locator(".narrowed").count(), 0);
    }
  });
});

test("a name alone chooses where only one place has it, and no other", () => {
  const twins = busyRun({ workers: 3, rounds: 40 });
  twins.sites[2].name = twins.sites[1].name;
  const of = ({ name }) => ({ name, forks: 10, leaves: 10, leaf_ns: 1e6, work_ns: 1e6, span_ns: 1e5 });
  const analysis = { work_ns: 2e6, span_ns: 2e5, burdened_span_ns: 4e5, forks: 20, sites: [of(twins.sites[1]), of(twins.sites[3])] };
  return onRun({ ...twins, analysis }, async (page) => {
    assert.deepEqual(await page.locator("section[aria-labelledby=watched-title] .link").allTextContents(), [twins.sites[3].name]);
  });
});

test("every finding shows where its time lies", () => onBusy(async (page) => {
  const { findings } = busy.story.verdict;
  assert.ok(findings.length > 1);
  await page.locator(".verdict details").evaluate((details) => { details.open = true; });
  for (const { fault, use } of findings) {
    const button = page.getByRole("button", { name: `Show where: ${fault.replace(/_/g, " ")}`, exact: true });
    if (busy.story.budget.ns[use] === 0) {
      assert.equal(await button.count(), 0);
      continue;
    }
    await button.click();
    await settled(page);
    assert.equal(await page.locator(".chip").count(), 1);
    const share = await page.locator(`.narrowed .legend li[data-use=${use}] strong`).innerText();
    assert.ok(parseFloat(share) >= 100 * busy.story.budget.share[use] - 0.1, `${use} is at least as much there, ${share}, as in the whole run`);
    await page.keyboard.press("Escape");
    await settled(page);
  }
}));

test("the workers in figures narrow, cell by cell, and are narrowed themselves", () => onBusy(async (page) => {
  await page.locator(".twin").evaluate((details) => { details.open = true; });
  /** Where a use stands in the table now: a use without time has no column. */
  const columnOf = async (name) => (await page.locator(".twin thead th").allTextContents()).indexOf(name) - 1;
  const row = page.locator(".twin tbody tr").nth(2);
  await row.locator("th button").click();
  await settled(page);
  assert.deepEqual(await chips(page), ["worker 2"]);
  const shares = (of) => of.locator("td").allTextContents();
  assert.deepEqual((await shares(page.locator(".twin tbody tr").nth(1))).slice(0, -1).filter((text) => text !== "0.0 %"), [], "of others nothing is chosen");
  await row.locator("th button").click();
  await settled(page);
  for (const name of ["working", "waiting", "parked"]) {
    const before = parseFloat((await shares(row))[await columnOf(name)]);
    await row.locator("td").nth(await columnOf(name)).getByRole("button").click();
    await settled(page);
    const [range, worker] = await chips(page);
    assert.match(range, / to /);
    assert.equal(worker, "worker 2");
    assert.ok(parseFloat((await shares(row))[await columnOf(name)]) >= before, `${name} is denser there`);
    await page.keyboard.press("Escape");
    await settled(page);
  }
  await page.locator(".twin thead button", { hasText: "starved" }).waitFor({ state: "detached" });
  await page.locator(".twin thead button", { hasText: "working" }).click();
  await settled(page);
  assert.equal(await page.locator(".chip").count(), 1);
  await page.keyboard.press("Escape");
  await page.locator(".sites .link").first().click();
  await settled(page);
  assert.deepEqual((await page.locator(".twin thead th").allTextContents()).filter((name) => ["searching", "stealing", "parked"].includes(name)), [], "a site's time is work");
}));

test("heads of the matrix, rows of the code and the speed-up are of what is chosen", () => onBusy(async (page) => {
  await page.locator(".matrix thead button").nth(3).click();
  await settled(page);
  assert.deepEqual(await chips(page), ["worker 3"]);
  const ofThree = busy.story.summary.steal_matrix.filter(({ thief, victim }) => thief === 3 || victim === 3).reduce((sum, { count }) => sum + count, 0);
  assert.equal(await stealsShown(page), ofThree);
  await page.keyboard.press("Escape");
  await settled(page);
  const speedUp = page.locator("section[aria-labelledby=scale-title]");
  assert.doesNotMatch(await speedUp.innerText(), /in what is chosen/);
  await page.keyboard.press("n");
  await settled(page);
  assert.match(await speedUp.innerText(), new RegExp(`${busy.story.budget.parallelism.toFixed(1)} of 4 slots worked in what is chosen`));
  await page.keyboard.press("Escape");
  await settled(page);
  await page.locator("section[aria-labelledby=sites-title] tbody tr").nth(1).locator("td").last().click();
  await settled(page);
  assert.deepEqual(await chips(page), [busy.story.sites[1].name]);
  assert.equal(await page.locator("section[aria-labelledby=sites-title] tbody tr").count(), 1);
  await page.locator("section[aria-labelledby=sites-title] tbody tr .link").press("Enter");
  await settled(page);
  assert.equal(await page.locator(".narrowed").count(), 0, "the same again lets go of it, by keyboard, too");
}));

test("estimated forks are a use of their own, and the page says that they are estimated", () => {
  const job = (at, depth, site) => [at, 0, "job_changes", "working", 0, depth, site, "not_looked"];
  const entries = [[0, 0, "jobs_run", "working", 0, 65535, 1, "not_looked"]];
  for (let i = 0; i < 90; ++i) entries.push(job(1000 * i + 800, 2, 2), job(1000 * i + 1000, 1, 1));
  return onRun({ ...nestedRun(), program: "forks", pools: [{ slots: 1 }], fork_ps: 100_000, entries }, async (page, { story }) => {
    assert.equal(story.budget.ns.forking, 9000);
    assert.match(await page.locator("[aria-label=Verdict] .legend li[data-use=forking]").innerText(), /^9\.0 % forking/);
    assert.match(await page.locator("footer").innerText(), /Forking is estimated: 90 forks at 100\.0 ns/);
    await page.keyboard.press("n");
    await settled(page);
    assert.match(await page.locator(".narrowed .legend li[data-use=forking]").innerText(), /^9\.0 % forking.*9\.0 us$/s);
  });
});

test("jobs of no time and of a nanosecond are one bar, which narrows to both", () => onRun(shortestRun(), async (page, { story }) => {
  assert.deepEqual(story.summary.jobs.histogram, [{ from_ns: 0, count: 1 }, { from_ns: 1, count: 1 }]);
  assert.deepEqual(await page.locator(".histogram .figure").allTextContents(), ["2"]);
  await page.locator(".histogram button").click();
  await settled(page);
  assert.deepEqual(await page.locator(".histogram .figure").allTextContents(), ["2"]);
}));
