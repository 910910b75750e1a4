// The page of `filch scale --html`, as a reader has it: from a file, in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, open, program } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const sources = fileURLToPath(new URL("../../..", import.meta.url));

let browser, folder, address, story;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "filch-scale-"));
  const file = join(folder, "scale.html");
  const asked = ["scale", "many,tree-searching,loop-asleep", "--size", "1000", "--workers", "1,4,16", "--machine", "desktop-16", "--sources", sources];
  execFileSync(program(), [...asked, "--html", file]);
  story = JSON.parse(execFileSync(program(), [...asked, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  address = pathToFileURL(file).href;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Runs `check` on a fresh tab, and fails if the page asked for anything or complained. */
async function onPage(check, options = {}) {
  const tab = await open(browser, address, options);
  try {
    await tab.page.locator("canvas").first().waitFor();
    await check(tab.page);
    assert.deepEqual(tab.troubles, []);
  } finally {
    await tab.close();
  }
}

const pointsOf = (workload) => story.points.filter((each) => each.workload === workload);
const shown = (page) => page.locator("#workload-title").textContent();

test("opened from a file it asks for nothing, and says that it is a simulation", () => onPage(async (page) => {
  assert.equal(await page.locator(".lead").textContent(), story.simulation);
  assert.match(await page.locator("footer").textContent(), /simulation of desktop-16/);
  assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity/, "nothing on the page lacks its figure");
}));

test("a page without data says how to get one", async () => {
  const tab = await open(browser, new URL("../dist/scale.html", import.meta.url).href);
  assert.match(await tab.page.getByRole("alert").textContent(), /filch scale fib --html/);
  await tab.close();
});

test("the figures are those of the JSON", () => onPage(async (page) => {
  const rows = await page.locator("section[aria-labelledby=workload-title] tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([workers, , speedUp, efficiency]) => [workers, speedUp, efficiency]),
    pointsOf("many").map((p) => [String(p.workers), p.speed_up.toFixed(2), p.efficiency.toFixed(3)]));
}));

test("a click and the arrow keys choose a workload", () => onPage(async (page) => {
  assert.equal(await shown(page), "many");
  await page.keyboard.press("ArrowRight");
  assert.equal(await shown(page), "tree-searching");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await shown(page), "loop-asleep", "they go round");
  await page.getByRole("button", { name: "many" }).click();
  assert.equal(await shown(page), "many");
  assert.equal(await page.locator(".chip[aria-pressed=true]").count(), 1);
}));

test("the plot shows speed-ups or efficiency", () => onPage(async (page) => {
  assert.equal(await page.locator("#curves-title").textContent(), "Speed-up by workers");
  await page.keyboard.press("e");
  assert.equal(await page.locator("#curves-title").textContent(), "Efficiency by workers");
  await page.locator("summary").click();
  const cells = await page.locator(".twin tbody tr").first().locator("td").allTextContents();
  assert.deepEqual(cells, pointsOf("many").map((p) => p.efficiency.toFixed(2)));
  await page.getByRole("radio", { name: "Speed-up" }).check();
  assert.equal(await page.locator("#curves-title").textContent(), "Speed-up by workers");
}));

test("the hottest word has the functions that waited for it", () => onPage(async (page) => {
  await page.keyboard.press("ArrowRight");
  const word = page.locator(".heat tbody .link").first();
  const name = (await word.textContent()).trim();
  assert.ok(pointsOf("tree-searching").some(({ hottest }) => hottest.some(({ words }) => words.split(", ").join(" ") === name.split(/\s+/).join(" "))), name);
  assert.match(name, /::/, "the sources are there");
  await word.click();
  assert.match(await page.locator(".places tbody tr").first().textContent(), /filch\/.*:\d+/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".places").count(), 0);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, () => onPage(async (page) => {
    await page.keyboard.press("ArrowRight");
    await page.locator(".heat tbody .link").first().click();
    await page.locator("summary").click();
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
  }, { colorScheme }));
}

test("a phone has all of it", () => onPage(async (page) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360, null, { timeout: 10_000 });
}));
