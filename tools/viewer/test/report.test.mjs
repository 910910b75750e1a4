// The page of `filch report --html`, as a reader has it: from a file, in a browser; and the same from `filch view`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, open, program, writtenPage, writtenSweep } from "./browser.mjs";
import { busyRun, nestedRun, runInPlace } from "./recordings.mjs";
import { becomesNarrow, dragOver, drawn, onPageOf, percent, settled, sharesIn, stealsShown, viewOf } from "./report_page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const workers = 4, rounds = 80;

const recording = busyRun({ workers, rounds });
/** The same without run delay: what a job takes is work. */
const undelayed = { ...recording, entries: recording.entries.filter(([, , kind]) => kind !== "run_delay_us") };

let browser, written, calm, report;
before(async () => {
  written = writtenPage("report", recording);
  calm = writtenPage("report", undelayed);
  report = written.story;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  written?.remove();
  calm?.remove();
});

/** Runs `check` on a fresh tab with the page. */
const onPage = (check, { at = written, ...options } = {}) => onPageOf(browser, at, options, check);
const expectedShares = (budget) => Object.fromEntries(Object.entries(budget.share).filter(([, share]) => share > 0).map(([use, share]) => [use, percent(share)]));
test("opened from a file it asks for nothing, and says what the JSON says", () => onPage(async (page) => {
  assert.equal(await page.locator(".sentence").textContent(), report.verdict.sentence);
  assert.equal(await page.locator(".advice").textContent(), report.verdict.findings[0].advice.replaceAll("`", ""), "commands stand in a type of their own");
  assert.deepEqual(await sharesIn(page, "section[aria-label=Verdict]"), expectedShares(report.budget));
  assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity/, "nothing on the page lacks its figure");
  assert.match(await page.locator("footer").innerText(), new RegExp(`${percent(report.trust.work_with_site_share)} of the work is in recorded jobs`));
  for (const { fault, sentence } of report.verdict.findings.slice(1)) {
    assert.match(await page.locator(".findings").textContent(), new RegExp(fault.replace(/_/g, " ")));
    assert.ok((await page.locator(".findings").textContent()).includes(sentence));
  }
  const rows = await page.locator(".sites tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)));
  assert.deepEqual(rows, report.sites.map(({ name, jobs, stolen }) => [name, jobs.toLocaleString("en"), stolen.toLocaleString("en")]));
  assert.equal(await stealsShown(page), report.summary.steal_matrix.reduce((sum, { count }) => sum + count, 0));
  const grains = await page.locator(".histogram .figure").allTextContents();
  assert.deepEqual(grains.filter((text) => text !== "").map((text) => Number(text.replace(/,/g, ""))), report.summary.jobs.histogram.map(({ count }) => count));
}));

test("a page without data says how to get one", async () => {
  const tab = await open(browser, new URL("../dist/report.html", import.meta.url).href);
  assert.match(await tab.page.getByRole("alert").textContent(), /filch report run\.filch --html/);
  await tab.close();
});

test("narrowed to all of the time, everything is as before", () => onPage(async (page) => {
  await page.keyboard.press("n");
  await settled(page);
  assert.deepEqual(await sharesIn(page, ".narrowed"), expectedShares(report.budget));
  assert.equal(await stealsShown(page), report.summary.steal_matrix.reduce((sum, { count }) => sum + count, 0));
  const rows = await page.locator(".sites tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const medians = await (async () => { await page.keyboard.press("Escape"); await settled(page); return page.locator(".sites tbody tr").evaluateAll((all) => all.map((row) => row.cells[5].textContent)); })();
  report.sites.forEach(({ name, jobs, stolen, work_ns }, i) => {
    assert.deepEqual(rows[i], [name, String(jobs), String(stolen), percent(work_ns / report.budget.total_ns), medians[i]]);
  });
}));

test("two halves of the time have all steals and all jobs between them", () => onPage(async (page) => {
  const canvas = await page.locator(".plot > canvas").boundingBox();
  const found = [];
  for (const [from, to] of [[0, 0.5], [0.5, 1]]) {
    await dragOver(page, from + 1e-9, to === 1 ? 1 + 20 / canvas.width : to);
    const jobs = await page.locator(".sites tbody td:nth-child(2)").allTextContents();
    found.push([await stealsShown(page), jobs.reduce((sum, text) => sum + Number(text), 0)]);
    assert.ok(found.at(-1)[0] > 0);
  }
  assert.equal(found[0][0] + found[1][0], report.summary.steal_matrix.reduce((sum, { count }) => sum + count, 0));
  assert.equal(found[0][1] + found[1][1], report.sites.reduce((sum, { jobs }) => sum + jobs, 0));
}));

test("a worker and a site narrow everything, and can be let go of", () => onPage(async (page) => {
  await page.getByRole("button", { name: "Worker 1", exact: true }).click();
  await settled(page);
  const ofOne = report.summary.steal_matrix.filter(({ thief, victim }) => thief === 1 || victim === 1).reduce((sum, { count }) => sum + count, 0);
  assert.equal(await stealsShown(page), ofOne);
  await page.locator(".sites .link").first().click();
  await settled(page);
  assert.equal(await page.locator(".chip").count(), 2);
  assert.equal(await page.locator(".sites tbody tr").count(), 1);
  await page.locator(".chip").first().click();
  await settled(page);
  assert.equal(await page.locator(".sites tbody tr td").first().textContent(), String(report.sites[0].jobs));
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await page.locator(".narrowed").count(), 0);
}));

/** Nanoseconds that a use of time is said to have, in a section. */
const timeIn = async (page, section, use) => {
  const [, value, unit] = /· ([\d.,]+) (ns|us|ms|s)$/.exec((await page.locator(`${section} .legend li[data-use=${use}]`).innerText()).trim());
  return Number(value.replace(/,/g, "")) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit];
};

test("a use of time narrows to the shortest time that holds half of it", () => onPage(async (page) => {
  for (const use of Object.keys(report.budget.share).filter((each) => report.budget.share[each] > 0)) {
    await page.locator(`[aria-label=Verdict] .legend li[data-use=${use}] .link`).click();
    await settled(page);
    assert.equal(await page.locator(".chip").count(), 1);
    const share = (await timeIn(page, ".narrowed", use)) / report.budget.ns[use];
    assert.ok(share > 0.45, `${use}: ${share}`);
    if (use === "starved") assert.ok(share < 0.6, `no more than half: ${share}`);
    await page.keyboard.press("Escape");
  }
}));

test("a cell of the matrix narrows to its thief, while it took these jobs", () => onPage(async (page) => {
  const cell = page.locator(".matrix tbody tr").nth(1).locator("td").nth(2);
  const before = await cell.textContent();
  assert.notEqual(before, "0");
  await cell.getByRole("button").click();
  await settled(page);
  assert.equal(await page.locator(".chip").count(), 2);
  assert.equal(await cell.textContent(), before, "all of these lie in the time");
  assert.ok(await stealsShown(page) <= report.summary.steal_matrix.filter(({ thief, victim }) => thief === 1 || victim === 1).reduce((sum, { count }) => sum + count, 0));
}));

/** Every job of the recording, read from its events: its worker, its victim, its site and its length. */
const jobsIn = ({ workers: lanes, entries }) => lanes.flatMap((_, worker) => {
  const own = entries.filter((entry) => entry[1] === worker);
  return own.flatMap(([at, , kind, , , victim, site], i) => (kind === "jobs_run" ? [{ worker, victim, site, length: own[i + 1][0] - at }] : []));
});
/** How the page writes a duration. */
const duration = (ns) => {
  const [unit, name] = ns >= 999_500 ? [1e6, "ms"] : ns >= 999.5 ? [1e3, "us"] : [1, "ns"];
  return `${unit > 1 && ns / unit < 9.95 ? (ns / unit).toFixed(1) : (ns / unit).toFixed(0)} ${name}`;
};
/** The bar of jobs that take at least so long. */
const barIn = (page, from_ns) => page.locator(".histogram tbody tr", { has: page.locator("th", { hasText: new RegExp(`^${duration(from_ns)}$`) }) }).getByRole("button");
const sumOf = (numbers) => numbers.reduce((sum, each) => sum + each, 0);

test("a bar of the histogram narrows everything to jobs of that length, by mouse and by keyboard", () => onPage(async (page) => {
  const picture = () => page.locator(".plot > canvas").evaluate((canvas) => canvas.toDataURL());
  const whole = await picture();
  for (const { from_ns, count } of [calm.story.summary.jobs.histogram.at(0), calm.story.summary.jobs.histogram.at(-1)]) {
    const chosen = jobsIn(undelayed).filter(({ length }) => length >= from_ns && length < 2 * from_ns);
    assert.equal(chosen.length, count);
    const bar = barIn(page, from_ns);
    await bar.click();
    await settled(page);
    assert.match(await page.locator(".chip").textContent(), /^jobs of .* to /);
    assert.deepEqual(await page.locator(".histogram .figure").allTextContents(), [String(count)]);
    assert.equal(await bar.getAttribute("aria-pressed"), "true");
    const matrix = await page.locator(".matrix tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent))));
    assert.deepEqual(matrix, undelayed.workers.map((_, thief) => undelayed.workers.map((_, victim) => chosen.filter((job) => job.worker === thief && job.victim === victim).length)));
    const sites = await page.locator(".sites tbody tr").evaluateAll((all) => all.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent), row.cells[3].textContent]));
    const total = sumOf(chosen.map(({ length }) => length));
    for (const [name, jobs, share] of sites) {
      const own = chosen.filter(({ site }) => undelayed.sites[site].name === name);
      assert.deepEqual([jobs, share], [own.length, percent(sumOf(own.map(({ length }) => length)) / total)], name);
    }
    assert.equal(sumOf(sites.map((row) => row[1])), count);
    assert.deepEqual(await sharesIn(page, ".narrowed"), { working: "100 %" });
    assert.ok((await page.locator(".narrowed .meaning").textContent()).endsWith(`· ${duration(total)}`));
    assert.notEqual(await picture(), whole);
    await bar.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".narrowed").count(), 0);
    assert.equal(await picture(), whole);
  }
  await page.locator(".histogram button").first().press(" ");
  await page.locator(".chip").click();
  assert.equal(await page.locator(".narrowed").count(), 0);
}, { at: calm }));

test("jobs run in place are jobs of their site, and no bar of the histogram counts them, narrowed or not", async () => {
  const inPlace = writtenPage("report", runInPlace());
  try {
    await onPage(async (page) => {
      const bars = () => page.locator(".histogram .figure").allTextContents();
      const jobs = () => page.locator(".sites tbody td:nth-child(2)").allTextContents();
      const [barsBefore, jobsBefore] = [await bars(), await jobs()];
      assert.deepEqual([barsBefore, jobsBefore], [["1"], ["1", "2"]]);
      await page.keyboard.press("n");
      await settled(page);
      assert.deepEqual([await bars(), await jobs()], [barsBefore, jobsBefore]);
      await page.keyboard.press("Escape");
      await page.locator(".histogram button").click();
      await settled(page);
      assert.deepEqual(await jobs(), ["1", "0"]);
    }, { at: inPlace });
  } finally {
    inPlace.remove();
  }
});

test("length, site and worker narrow together", () => onPage(async (page) => {
  const { from_ns } = calm.story.summary.jobs.histogram.at(-2);
  await page.getByRole("button", { name: "Worker 2", exact: true }).click();
  await page.locator(".sites .link").first().click();
  await settled(page);
  await barIn(page, from_ns).click();
  await settled(page);
  const ofSite = jobsIn(undelayed).filter(({ site, length }) => undelayed.sites[site].name === calm.story.sites[0].name && length >= from_ns && length < 2 * from_ns);
  const own = ofSite.filter(({ worker }) => worker === 2);
  assert.equal(await page.locator(".sites tbody td").first().textContent(), String(own.length));
  assert.equal(await stealsShown(page), ofSite.filter(({ worker, victim }) => worker === 2 || victim === 2).length);
  assert.ok((await page.locator(".narrowed .meaning").textContent()).endsWith(`· ${duration(sumOf(own.map(({ length }) => length)))}`));
}, { at: calm }));

/** The time in the legend of what is chosen, in microseconds. */
const narrowedTime = async (page) => sumOf((await page.locator(".narrowed .meaning").allTextContents()).map((text) => Number(/([\d.]+) us$/.exec(text)[1])));

test("the time of a job has its joins and what ran in them; of a site, its own alone", async () => {
  const nested = writtenPage("report", nestedRun());
  try {
    await onPage(async (page) => {
      await page.getByRole("button", { name: /^jobs of 66 us/ }).click();
      await settled(page);
      assert.equal(await narrowedTime(page), 80);
      const sites = await page.locator(".sites tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].slice(0, 4).map((cell) => cell.textContent)));
      assert.deepEqual(sites.sort(), [["inner(range)", "0", "0", "5.0 %"], ["outer(range)", "1", "1", "80 %"]]);
      await page.getByRole("button", { name: "outer(range)", exact: true }).click();
      await settled(page);
      assert.equal(await narrowedTime(page), 76);
      await page.keyboard.press("Escape");
      await settled(page);
      await page.getByRole("button", { name: /^jobs of 2.0 us/ }).click();
      await settled(page);
      assert.equal(await narrowedTime(page), 4);
      assert.equal(await stealsShown(page), 1);
    }, { at: nested });
  } finally {
    nested.remove();
  }
});

test("where the page has no single jobs, bars are no buttons", async () => {
  const file = fileURLToPath(written.address), bare = file.replace(/html$/, "bare.html"), text = readFileSync(file, "utf8");
  assert.match(text, /"jobs":"[^"]+"/);
  writeFileSync(bare, text.replace(/"jobs":"[^"]+"/, '"jobs":null'));
  await onPage(async (page) => {
    const { histogram } = report.summary.jobs;
    assert.deepEqual((await page.locator(".histogram .figure").allTextContents()).filter((each) => each !== "").map(Number), histogram.map(({ count }) => count));
    assert.equal(await page.locator(".histogram button").count(), 0);
  }, { at: { address: pathToFileURL(bare).href } });
});

test("a click on an interval narrows to it", () => onPage(async (page) => {
  for (let i = 0; i < 12; ++i) await page.keyboard.press("+");
  await settled(page);
  const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
  await page.mouse.click(x + width / 2, y + 24 + 56 + 14 + 15);
  await settled(page);
  const shares = await page.locator(".twin tbody tr").first().evaluate((row) => [...row.cells].slice(1, -1).map((cell) => cell.textContent));
  assert.ok(shares.filter((share) => share !== "0.0 %").length <= 2, `one thing all the time, but for run delay: ${shares}`);
}));

test("the timeline is moved and magnified from the keyboard, and stays within the recording", () => onPage(async (page) => {
  const whole = await viewOf(page);
  assert.deepEqual(whole, [0, report.length_ns]);
  await page.keyboard.press("+");
  const near = await viewOf(page);
  assert.ok(near[1] - near[0] < whole[1]);
  await page.keyboard.press("ArrowRight");
  const later = await viewOf(page);
  assert.ok(later[0] > near[0]);
  assert.ok(Math.abs(later[1] - later[0] - (near[1] - near[0])) < 1);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await viewOf(page))[1] - report.length_ns) < 1);
  await page.keyboard.press("Home");
  assert.equal((await viewOf(page))[0], 0);
  for (let i = 0; i < 60; ++i) await page.keyboard.press("+");
  const nearest = await viewOf(page);
  assert.ok(nearest[1] - nearest[0] >= 99 && nearest[1] - nearest[0] < 200, String(nearest));
  await page.keyboard.press("0");
  assert.deepEqual(await viewOf(page), whole);
  await page.keyboard.press("+");
  await page.keyboard.press("n");
  await settled(page);
  assert.match(await page.locator(".chip").textContent(), / to /);
}));

test("keys that scroll a table are the table's while it has the focus", () => onPage(async (page) => {
  const table = page.locator(".scroll[aria-labelledby=sites-title]");
  await page.keyboard.press("+");
  const view = await viewOf(page);
  await table.focus();
  for (const key of ["ArrowRight", "End", "Home"]) {
    await page.keyboard.press(key);
    assert.deepEqual(await viewOf(page), view, key);
  }
}));

test("the tab key reaches every control, and what has the focus shows it", () => onPage(async (page) => {
  const reached = new Set();
  for (let i = 0; i < 120; ++i) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const at = document.activeElement;
      return at === document.body ? null : { name: at.getAttribute("aria-label") ?? at.textContent, outline: getComputedStyle(at).outlineStyle };
    });
    if (seen === null) break;
    assert.equal(seen.outline, "solid", seen.name);
    reached.add(seen.name.trim());
  }
  for (const name of ["Switch to the dark theme", "Magnify", "Worker 0", "The workers in figures", "worker 3", report.sites[0].name]) {
    assert.ok(reached.has(name), `${name} in ${[...reached].join(" | ")}`);
  }
}));

/** The part of the timeline that shows a worker, as numbers of colors seen. */
const coloursIn = (page) => page.locator(".plot > canvas").evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 24, canvas.width, 56);
  return new Set(new Uint32Array(data.buffer)).size;
});

test("of a watched run it shows what to expect of more workers, as the JSON says", async () => {
  const site = { name: "merge_halves(range)", forks: 4000, leaves: 4000, leaf_ns: 4e8, work_ns: 4e8, span_ns: 2e7 };
  const analysis = { work_ns: 4e8, span_ns: 2e7, burdened_span_ns: 4e7, forks: 4000, sites: [site] };
  const watched = writtenPage("report", { ...busyRun({ workers: 3, rounds: 5 }), analysis });
  try {
    await onPage(async (page) => {
      const scale = page.locator("section[aria-labelledby=scale-title]");
      const rows = await scale.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      const text = (value) => (value < 9.95 ? value.toFixed(1) : value.toFixed(0));
      const { predictions } = watched.story.analysis;
      assert.deepEqual(rows, predictions.filter((each) => each.workers <= 80).map(({ workers, bound_ns, estimate_ns }) =>
        [String(workers), text(4e8 / bound_ns), text(4e8 / estimate_ns), workers === 1 ? "1.0" : "not measured"]));
      assert.deepEqual(rows.map((row) => row[0]), ["1", "2", "3", "4", "8", "16", "32", "64"]);
      assert.equal(rows.at(-1)[1], "20", "the parallelism bounds what many workers bring");
      assert.match(await scale.innerText(), /the parallelism is 20, with steals at their price 10/);
      assert.match(await page.locator(".sentence").textContent(), /ran serially/);
      const sites = await page.locator("section[aria-labelledby=watched-title] tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      assert.deepEqual(sites.map((row) => row.slice(0, 5)), [[site.name, "4,000", "100 %", "100 %", "100 us"]]);
      const gain = 1 - watched.story.analysis.sites[0].twice_as_fast.estimate_ns / predictions.find((each) => each.workers === watched.story.budget.slots).estimate_ns;
      assert.equal(sites[0][6], `− ${percent(gain)}`, "all of the work is of this site");
      assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity/);
    }, { at: watched });
  } finally {
    watched.remove();
  }
});

test("of a watched run it shows how long the jobs of each site took, in bars and in figures, as the JSON says", async () => {
  const of = (name, jobs_by_log2_ns) => ({ name, forks: sumOf(jobs_by_log2_ns), leaves: 1, leaf_ns: 1e6, work_ns: 2e8, span_ns: 1e7, jobs_by_log2_ns });
  const sites = [of("leaf(range)", [1, 0, 0, 0, 0, 0, 0, 40, 3]), of("root(range)", [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1]), { ...of("outside every fork", []), address: 0 }];
  const watched = writtenPage("report", { ...busyRun({ workers: 2, rounds: 5 }), analysis: { work_ns: 6e8, span_ns: 3e7, burdened_span_ns: 4e7, forks: 47, sites } });
  try {
    await onPage(async (page) => {
      const card = page.locator("section[aria-labelledby=watched-title]");
      await card.locator("summary").click();
      const table = async (rows) => rows.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      assert.deepEqual(await table(card.locator("details thead tr")), [["At least", "0 ns", "1 ns", "2 ns", "4 ns", "8 ns", "16 ns", "32 ns", "64 ns", "128 ns", "256 ns", "512 ns"]]);
      const told = watched.story.analysis.sites.filter(({ jobs_by_log2_ns }) => jobs_by_log2_ns.length > 0);
      assert.deepEqual(told.map(({ name }) => name).sort(), ["leaf(range)", "root(range)"]);
      assert.deepEqual(await table(card.locator("details tbody tr")), told.map(({ name, jobs_by_log2_ns }) => [name, ...Array.from({ length: 11 }, (_, i) => String(jobs_by_log2_ns[i] ?? 0))]));
      const heights = await card.locator(".lengths").evaluateAll((all) => all.map((bars) => [...bars.children].map((bar) => Number.parseFloat(bar.style.height))));
      for (const [i, { jobs_by_log2_ns }] of told.entries()) {
        const most = Math.max(...jobs_by_log2_ns);
        assert.deepEqual(heights[i].map((height) => height > 0), Array.from({ length: 11 }, (_, each) => (jobs_by_log2_ns[each] ?? 0) > 0));
        assert.equal(heights[i][jobs_by_log2_ns.indexOf(most)], 100);
      }
      const bars = await table(page.locator(".histogram tbody tr"));
      assert.deepEqual(bars.filter(([, count]) => count !== ""), [["0 ns", "1"], ["64 ns", "40"], ["128 ns", "5"], ["512 ns", "1"]]);
      assert.equal(await page.locator(".histogram button").count(), 0, "no single jobs to choose");
      await page.keyboard.press("n");
      await settled(page);
      assert.match(await page.locator("section[aria-labelledby=grain-title]").innerText(), /of the whole run only/);
      await becomesNarrow(page);
      await page.evaluate(axe);
      assert.deepEqual((await page.evaluate(() => globalThis.axe.run())).violations.map(({ id }) => id), []);
    }, { at: watched });
  } finally {
    watched.remove();
  }
});

test("with a watched run on one worker it shows the bounds, the prediction and what was measured", async () => {
  const site = { name: "merge_halves(range)", forks: 4000, leaves: 4000, leaf_ns: 1.5e6, work_ns: 1.5e6, span_ns: 1e5 };
  const entries = [[0, 0, "jobs_run", "working", 0, 65535, 1], [2e6, 0, "state_changes", "parked"]];
  const analysis = { work_ns: 1.5e6, span_ns: 1e5, burdened_span_ns: 2e5, forks: 4000, sites: [site] };
  const alone = writtenPage("report", { ...busyRun({ workers: 1, rounds: 0 }), entries, length_ns: 2.2e6, analysis });
  const length = report.length_ns, expected = (2.2e6 - 2e6 + 1.5e6) / length;
  const both = writtenPage("report", busyRun({ workers, rounds }), ["--alone", alone.input]);
  try {
    await onPage(async (page) => {
      const rows = await page.locator("section[aria-labelledby=scale-title] tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      const text = (value) => (value < 9.95 ? value.toFixed(1) : value.toFixed(0));
      assert.equal(rows.find(([count]) => count === String(workers))[3], text(expected));
      assert.deepEqual(rows.filter((row) => row[3] !== "not measured").map((row) => row[0]), ["1", String(workers)]);
      assert.ok(rows.every((row) => row[1] !== "not known" && row[2] !== "not known"));
      assert.match(await page.locator("section[aria-labelledby=scale-title]").innerText(), new RegExp(`${text(expected)} of ${workers} measured.*expected`, "s"));
      assert.match(await page.locator("section[aria-labelledby=watched-title]").innerText(), new RegExp(`Of the watched run on one worker.*would take on ${workers} workers`, "s"));
      assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity/);
    }, { at: both });
  } finally {
    both.remove();
    alone.remove();
  }
});

test("where records are lost, the slots that worked are those of the time that is known", async () => {
  const whole = busyRun({ workers: 2, rounds: 40 }), from = Math.round(0.9 * whole.length_ns);
  const lost = { ...whole, workers: whole.workers.map((worker) => ({ ...worker, complete_from_ns: from, lost: 100 })), entries: whole.entries.filter(([at]) => at >= from) };
  const file = writtenPage("report", lost);
  try {
    await onPage(async (page) => {
      const { parallelism, share } = file.story.budget, card = page.locator("section[aria-labelledby=scale-title]");
      assert.ok(share.unknown > 0.8, String(share.unknown));
      const measured = await card.locator("tbody tr", { hasText: /^2/ }).locator("td").nth(2).textContent();
      assert.equal(measured, (parallelism / (1 - share.unknown)).toFixed(1));
      assert.match(await card.innerText(), /slots worked on average, as far as records tell/);
    }, { at: file });
  } finally {
    file.remove();
  }
});

test("with a sweep it shows every run of it, beside what is expected of the whole process", async () => {
  const analysis = { work_ns: 3e7, span_ns: 1e6, burdened_span_ns: 2e6, forks: 100, sites: [] };
  const sweep = [{ workers: 1, wall_ns: 4e7, runs_ns: [4e7, 5e7] }, { workers: 3, wall_ns: 16e6, runs_ns: [16e6, 2e7, 17e6] }];
  const files = [{ ...busyRun({ workers: 2, rounds: 5 }), analysis }, busyRun({ workers: 2, rounds: 5 })].map((recording) => writtenSweep(recording, sweep));
  const text = (value) => (value < 9.95 ? value.toFixed(1) : value.toFixed(0));
  try {
    for (const [i, file] of files.entries()) {
      await onPage(async (page) => {
        const card = page.locator("section[aria-labelledby=scale-title]");
        const rows = await card.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
        const told = file.story.sweep.rows.filter(({ workers }) => workers <= 4 * Math.max(3, file.story.sweep.whole?.parallelism ?? 1));
        assert.deepEqual(rows.map(([workers, bound, expected]) => [workers, bound, expected]), told.map(({ workers, bound, expected }) => [String(workers), text(bound), expected === null ? "not known" : text(expected)]));
        assert.deepEqual(rows.filter((row) => row[3] !== "not measured").map((row) => [row[0], row[3], row[4]]), [["1", "1.0", "0.8 to 1.0 in 2 runs"], ["3", "2.5", "2.0 to 2.5 in 3 runs"]]);
        assert.match(await card.innerText(), i === 0 ? /2\.5 on 3 measured, 1\.9 expected.*10 ms that nobody watched count as serial/s : /2\.5 on 3 measured, against the best run/);
        const ink = await card.locator("canvas").evaluate((canvas) => new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer).filter((word) => word !== 0).length);
        assert.ok(ink > 500);
        assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity/);
        await becomesNarrow(page);
      }, { at: file });
    }
  } finally {
    files.forEach((file) => file.remove());
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, () => onPage(async (page) => {
    const look = async (where) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), [], where);
    };
    await look("everything");
    assert.ok((await coloursIn(page)) > 4);
    await page.locator("details").evaluateAll((all) => all.forEach((each) => { each.open = true; }));
    await page.getByRole("button", { name: "Worker 1", exact: true }).click();
    await page.locator(".sites .link").first().click();
    await dragOver(page, 0.2, 0.6);
    await page.locator(".histogram button").last().click();
    await settled(page);
    await look("narrowed");
  }, { colorScheme }));
}

test("the timeline is drawn anew in the other theme", () => onPage(async (page) => {
  const picture = () => page.locator(".plot > canvas").evaluate((canvas) => canvas.toDataURL());
  const light = await picture();
  await page.getByRole("button", { name: "Switch to the dark theme" }).click();
  await settled(page);
  assert.notEqual(await picture(), light);
}));

for (const width of [360, 768, 1920]) {
  test(`nothing is cut off at ${width} pixels`, () => onPage(async (page) => {
    await dragOver(page, 0.2, 0.6);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }, { viewport: { width, height: 800 } }));
}

/** What the recording says of the queue of each worker: the greatest number of jobs seen in a range of time. */
function mostSeen({ entries, workers: all }, begin = 0, end = Infinity) {
  const most = all.map(() => null);
  for (const [at, worker, kind, , , other, amount] of entries) {
    const whose = kind === "steals_won" ? other : kind === "state_changes" ? worker : -1;
    if (whose in most && amount > 0 && at >= begin && at < end) most[whose] = Math.max(most[whose] ?? 0, amount - 1);
  }
  return most.map((each) => (each === null ? "not seen" : String(each)));
}
const depthsIn = (page) => page.locator(".twin tbody tr td:last-child").evaluateAll((cells) => cells.map((cell) => cell.textContent));

test("the table has the deepest queue of each worker, of the run and of a part of it", () => onPage(async (page) => {
  const recorded = busyRun({ workers, rounds });
  assert.deepEqual(await depthsIn(page), mostSeen(recorded));
  for (let i = 0; i < 4; ++i) await page.keyboard.press("+");
  const [from, to] = await viewOf(page);
  await page.keyboard.press("n");
  await settled(page);
  assert.deepEqual(await depthsIn(page), mostSeen(recorded, from, to));
}));

/** How many pixels are drawn where the queue of worker 0 is: in all of it, or in its topmost line, which only the deepest look reaches. */
const depthPixels = (page, lines = 11) => page.locator(".plot > canvas").evaluate((canvas, lines) => {
  const scale = canvas.height / canvas.getBoundingClientRect().height, top = 24 + 56 + 14 + 34 - 4 + 1;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, Math.round(top * scale), canvas.width, Math.round(lines * scale));
  return new Uint32Array(data.buffer).reduce((count, word) => count + Number(word !== 0), 0);
}, lines);

test("queues are drawn where somebody looked, and nowhere in a recording without looks", async () => {
  await onPage(async (page) => assert.ok((await depthPixels(page)) > 100));
  const recorded = busyRun({ workers, rounds });
  for (const entry of recorded.entries) if (entry[2] === "steals_won") entry[6] = 0;
  const old = writtenPage("report", recorded);
  try {
    await onPage(async (page) => {
      assert.equal(await page.locator(".twin thead th").filter({ hasText: "Most to take" }).count(), 0);
      assert.match(await page.locator("footer").innerText(), /How full the queues were it does not say/);
    }, { at: old });
  } finally {
    old.remove();
  }
});

test("a queue is magnified without losing its deepest look", async () => {
  const length = 1e7, at = 4_320_000;
  const worker = { pool: 0, index: 0, thread_id: 1, complete_from_ns: 0, lost: 0 };
  const entries = [];
  for (let i = 0; i < 2000; ++i) entries.push([i * 5000, 0, "state_changes", "working", 0, 65535, i * 5000 === 4_320_000 ? 4096 : 2, "not_looked"]);
  const one = writtenPage("report", { program: "p", process_id: 1, length_ns: length, pools: [{ slots: 1 }], workers: [worker], sites: [{ address: 0, module: "", offset: 0, name: "" }], entries });
  try {
    await onPage(async (page) => {
      const peak = () => depthPixels(page, 1);
      assert.ok((await peak()) > 0, "whole run");
      const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
      for (let i = 0; i < 12; ++i) {
        await page.mouse.move(x + (width * (at - (await viewOf(page))[0])) / ((await viewOf(page))[1] - (await viewOf(page))[0]), y + 60);
        await page.mouse.wheel(0, -200);
        await drawn(page);
        assert.ok((await peak()) > 0, `magnified ${i + 1} times`);
      }
    }, { at: one });
  } finally {
    one.remove();
  }
});

/**
 * One frame of a script that magnifies for thirty frames, moves for fifteen and shows more for five, again and again: a turn of the wheel, and
 * whatever follows from it until the picture has been drawn. Runs in the page.
 */
async function turnWheel(frame) {
  const canvas = document.querySelector(".plot > canvas");
  const { left, top, width } = canvas.getBoundingClientRect();
  const at = frame % 50, move = at < 30 ? { deltaY: -60 } : at < 45 ? { deltaY: frame % 2 ? 40 : -40, shiftKey: true } : { deltaY: 360 };
  canvas.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: left + width * 0.4, clientY: top + 100, ...move }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** The least value that so large a share of all does not exceed. */
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1];

// What the main thread itself takes, so that other programs do not count; what asking for it takes does.
test("a million events move and magnify in less than 16 ms a frame, nineteen frames of twenty", async () => {
  const large = writtenPage("report", busyRun({ workers: 16, rounds: 12500 }));
  try {
    await onPage(async (page) => {
      const probe = await page.context().newCDPSession(page);
      await probe.send("Performance.enable", { timeDomain: "threadTicks" });
      const spent = async () => (await probe.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
      const took = [];
      for (let frame = -50; frame < 250; ++frame) {
        const before = await spent();
        await page.evaluate(turnWheel, frame + 50);
        if (frame >= 0) took.push((await spent()) - before);
      }
      const [median, late] = [quantile(took, 0.5), quantile(took, 0.95)];
      console.log(`a frame of a million events: median ${median.toFixed(1)} ms, 95th percentile ${late.toFixed(1)} ms, longest ${Math.max(...took).toFixed(1)} ms of ${took.length}`);
      assert.ok(median > 0.1, "something was measured");
      assert.ok(late < 16, `${late} ms`);
    }, { at: large });
  } finally {
    large.remove();
  }
});

/** What a request to `filch view` is answered with: status and headers. */
const ask = (address, options = {}) => new Promise((done, fail) => {
  request(address, options, (answer) => { answer.resume(); answer.on("end", () => done(answer)); }).on("error", fail).end();
});

test("filch view offers the page to this machine until it is interrupted", async () => {
  const server = spawn(program(), ["view", written.input], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((done) => server.on("exit", (code) => done(code)));
  try {
    const [address] = await new Promise((done) => createInterface(server.stdout).once("line", (line) => done([line])));
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    await onPage(async (page) => assert.equal(await page.locator(".sentence").textContent(), report.verdict.sentence), { at: { address } });
    const good = await ask(address);
    assert.equal(good.statusCode, 200);
    assert.match(good.headers["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal((await ask(address, { headers: { host: "evil.example" } })).statusCode, 403);
    assert.equal((await ask(new URL("/", address).href)).statusCode, 404);
    assert.equal((await ask(address, { method: "POST" })).statusCode, 405);
  } finally {
    server.kill("SIGINT");
  }
  assert.equal(await ended, 0);
});
