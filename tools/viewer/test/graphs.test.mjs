// Task graphs on the page: drawn in layers, with the critical path, by pointer and by keyboard, and narrowed with the rest.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, writtenPage } from "./browser.mjs";
import { graphRun, nestedRun } from "./recordings.mjs";
import { becomesNarrow, onPageOf, settled } from "./report_page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const frame = { name: "frame", nodes: [["load", 8000, [1, 2, 3], 0], ["physics", 16_000, [4], 0], ["cull", 4000, [4], 1], ["sound", 2000, [5], 1], ["draw", 12_000, [5], 0], ["present", 2000, [], 0]] };
const critical = ["load", "physics", "draw", "present"];
const small = { name: "", nodes: [["only", 1000, [], 0]] };
const long = 400;
/** A chain, and beside each of its nodes one that takes less time. */
const large = {
  name: "", nodes: Array.from({ length: 2 * long }, (_, i) => (i % 2 === 0 ? [`link ${i / 2}`, 4000, i / 2 < long - 1 ? [i + 1, i + 2] : [i + 1], 0] : [`side ${(i - 1) / 2}`, 2000, [], 1])),
};

let browser, written;
before(async () => {
  browser = await launch();
  written = writtenPage("report", graphRun([frame, small]));
});
after(async () => {
  await browser?.close();
  written?.remove();
});

const onPage = (check, options = {}) => onPageOf(browser, written, options, check);
async function onRun(recording, check) {
  const at = writtenPage("report", recording);
  try {
    await onPageOf(browser, at, {}, (page) => check(page, at));
  } finally {
    at.remove();
  }
}
const node = (page, name) => page.locator(".graph .node", { has: page.locator("text", { hasText: new RegExp(`^${name}$`) }) });
const namesOf = (nodes) => nodes.locator("text:first-of-type").allTextContents();
const chips = (page) => page.locator(".narrowed .chip").allTextContents().then((all) => all.map((text) => text.replace(/ ×$/, "")));
const pointed = (page) => page.locator(".graphs .pointed").textContent();

test("every node is drawn with its time, behind all that it waits for, and none covers another", () => onPage(async (page) => {
  const [graph] = written.story.graphs;
  assert.deepEqual(await namesOf(page.locator(".graph .node")), graph.nodes.map(({ name }) => name));
  assert.match(await page.locator(".graphs").innerText(), /frame: 6 nodes in 44 us, the longest of 3 runs\. Its critical path takes 38 us of 44 us of work/);
  const boxes = await page.locator(".graph .frame").evaluateAll((all) => all.map((each) => { const { left, right, top, bottom } = each.getBoundingClientRect(); return { left, right, top, bottom }; }));
  graph.nodes.forEach(({ successors }, i) => successors.forEach((next) => assert.ok(boxes[next].left > boxes[i].right, `${next} behind ${i}`)));
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, "no boxes overlap")));
}));

test("the critical path is marked, nodes and edges", () => onPage(async (page) => {
  assert.deepEqual(written.story.graphs[0].critical_path.map((i) => written.story.graphs[0].nodes[i].name), critical);
  assert.deepEqual(await namesOf(page.locator(".graph .node[data-critical=true]")), critical);
  assert.equal(await page.locator(".graph .edge[data-critical=true]").count(), critical.length - 1);
  assert.equal(await page.locator(".graph .edge").count(), 7);
  const tops = await page.locator('.graph .node[data-critical=true] .frame').evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  assert.ok(Math.max(...tops) - Math.min(...tops) <= 2, `it is level: ${tops}`);
}));

test("pointing at a node says its time, its slack and what the path would take with it twice as fast", () => onPage(async (page) => {
  await node(page, "physics").hover();
  assert.equal(await pointed(page), "physics: 16 us on worker 0, on the critical path. With this node twice as fast: 30 us instead of 38 us.");
  await node(page, "cull").hover();
  assert.equal(await pointed(page), "cull: 4.0 us on worker 1, slack 12 us. With this node twice as fast: still 38 us.");
}));

test("arrow keys go along edges and within a layer; the rest of the page keeps its keys", () => onPage(async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.querySelector("text")?.textContent);
  await node(page, "load").focus();
  for (const [key, name] of [["ArrowRight", "physics"], ["ArrowRight", "draw"], ["ArrowRight", "present"], ["ArrowLeft", "draw"], ["ArrowLeft", "physics"]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), name, key);
  }
  await node(page, "load").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "load");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".graph .node[tabindex='0']").count(), 1, "one stop for the tab key");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.ok((await chips(page)).includes("physics"));
}));

test("a click narrows everything to the node's job, and the same again lets go of it", () => onPage(async (page) => {
  await node(page, "cull").click();
  await settled(page);
  assert.deepEqual((await chips(page)).slice(1), ["worker 1", "cull"]);
  assert.match((await chips(page))[0], /^34\.\d+ us to 38\.\d+ us$/);
  assert.deepEqual(await namesOf(page.locator(".graph .node[data-chosen=true]")), ["cull"]);
  await node(page, "cull").click();
  await settled(page);
  assert.equal(await page.locator(".narrowed").count(), 0);
}));

test("what is chosen elsewhere is chosen here, too", () => onPage(async (page) => {
  await page.getByRole("button", { name: "Worker 1", exact: true }).click();
  await settled(page);
  assert.deepEqual(await namesOf(page.locator(".graph .node[data-chosen=true]")), ["cull", "sound"]);
  await page.keyboard.press("Escape");
  await settled(page);
  await page.getByRole("button", { name: "Show when it ran" }).click();
  await settled(page);
  assert.equal(await page.locator(".graph .node[data-chosen=true]").count(), 6);
  assert.equal((await chips(page)).length, 1);
}));

test("the figures have all nodes, those first that shorten the path most", () => onPage(async (page) => {
  await page.locator(".graphs summary").click();
  const rows = page.locator(".graphs .twin tbody tr");
  assert.deepEqual(await rows.locator("th").allTextContents(), ["physics", "draw", "load", "present", "sound", "cull"].sort((a, b) => order(a) - order(b)));
  assert.deepEqual(await rows.first().locator("td").allTextContents(), ["16 us", "none", "30 us", "0"]);
}));
const order = (name) => {
  const { nodes } = written.story.graphs[0], found = nodes.find((each) => each.name === name);
  return found.span_if_twice_as_fast_ns * 1e6 + found.slack_ns;
};

test("several graphs are chosen by buttons", () => onPage(async (page) => {
  const buttons = page.locator(".graphs .heading button");
  assert.equal(await buttons.count(), 2);
  await buttons.nth(1).click();
  assert.deepEqual(await namesOf(page.locator(".graph .node")), ["only"]);
  assert.equal(await buttons.nth(1).getAttribute("aria-pressed"), "true");
}));

test("of a large graph the critical path and what lies beside it are drawn, and the page says so", () => onRun(graphRun([large]), async (page, { story }) => {
  assert.equal(story.graphs[0].nodes.length, 2 * long);
  assert.match(await page.locator(".graphs").innerText(), /Of 800 nodes 300 are drawn/);
  const names = await namesOf(page.locator(".graph .node"));
  assert.equal(names.length, 300);
  assert.ok(names.every((name) => name.startsWith("link")), "the critical path has more than fit");
}));

test("a recording without task graphs has no such section", () => onRun(nestedRun(), async (page) => {
  assert.equal(await page.locator(".graphs").count(), 0);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`in the ${colorScheme} theme and on a phone axe finds nothing`, () => onPage(async (page) => {
    await page.locator(".graphs summary").click();
    const check = async () => {
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run(document.querySelector(".graphs"), { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    };
    await check();
    await becomesNarrow(page);
    await check();
  }, { colorScheme }));
}
