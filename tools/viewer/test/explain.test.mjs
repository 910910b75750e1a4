// The page of `filch explain`, as a reader has it: from a file, in a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, open, writtenPage } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser, written, story;
before(async () => {
  written = writtenPage("explain");
  story = written.story;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  written?.remove();
});

/** Runs `check` on a fresh tab, and fails if the page asked for anything or complained. */
async function onPage(check, options) {
  const tab = await open(browser, written.address, options);
  try {
    await check(tab.page);
    assert.deepEqual(tab.troubles, []);
  } finally {
    await tab.close();
  }
}

const tabCount = () => story.scenes.length + 1;
const countText = (page) => page.locator("output.count").textContent();
const openTab = async (page, tab) => {
  await page.keyboard.press(String(tab + 1));
  await page.locator(`#tab-${tab}[aria-selected=true]`).waitFor();
};
const choose = (page, choice) => page.locator("main input[type=radio]").nth(choice).check();

/**
 * Visits steps by the slider, inside the page and without waiting for it to be painted, and returns what `read` finds at each.
 * `read` is the text of an expression.
 */
function visit(page, steps, read) {
  return page.evaluate(`(async () => {
    const slider = document.querySelector("input[type=range]");
    const found = [];
    for (const step of ${JSON.stringify(steps)}) {
      slider.value = String(step);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done));
      found.push(${read});
    }
    return found;
  })()`);
}
const lastStep = async (page) => Number(await page.locator("input[type=range]").getAttribute("max"));

test("opened from a file it asks for nothing, and shows the story it was given", () => onPage(async (page) => {
  assert.equal(await page.locator("h1").textContent(), "How work stealing works");
  for (let tab = 0; tab < story.scenes.length; ++tab) {
    await openTab(page, tab);
    const racers = await page.locator(".racer").allTextContents();
    story.scenes[tab].runs.forEach((run, index) => {
      assert.ok(racers[index].includes(`${run.makespan} ticks`), racers[index]);
      assert.ok(racers[index].includes(`${Math.round(100 * run.idle_share)} % idle`), racers[index]);
    });
  }
}));

test("a page without data says how to get one", async () => {
  const empty = new URL("../dist/explain.html", import.meta.url).href;
  const tab = await open(browser, empty);
  assert.match(await tab.page.getByRole("alert").textContent(), /filch explain --html/);
  await tab.close();
});

test("scrubbing to a step from either side gives the same picture", () => onPage(async (page) => {
  for (let tab = 0; tab < tabCount(); ++tab) {
    await openTab(page, tab);
    const choices = await page.locator("main input[type=radio]").count();
    for (let choice = 0; choice < choices; ++choice) {
      await choose(page, choice);
      const last = await lastStep(page);
      const steps = [...Array(last + 1).keys()].filter((step) => step % 4 === 0 || step === last);
      const picture = "document.querySelector('.show').innerHTML";
      const forwards = await visit(page, steps, picture);
      const backwards = await visit(page, [...steps].reverse(), picture);
      assert.deepEqual(backwards.reverse(), forwards, `tab ${tab}, choice ${choice}`);
      assert.equal(new Set(forwards).size, steps.length, "no two steps look alike");
    }
  }
}));

test("what the page shows is what the program had at its keyframes", () => onPage(async (page) => {
  const names = (scene, tasks) => [...tasks].reverse().map((task) => scene.tasks[task].name).join(", ");
  const rows = "[...document.querySelectorAll('.stage tbody tr')].map((row) => [...row.cells].slice(2).map((cell) => cell.textContent))";
  for (const [tab, scene] of story.scenes.entries()) {
    await openTab(page, tab);
    for (const [choice, run] of scene.runs.entries()) {
      await choose(page, choice);
      const shown = await visit(page, run.keyframes.map((keyframe) => keyframe.after), rows);
      const expected = run.keyframes.map(({ activities, places }) => activities.map((_, w) =>
        [names(scene, places[`hand ${w}`]) || "none", names(scene, places[`queue ${w}`]) || "empty"]));
      assert.deepEqual(shown, expected, `${scene.id} ${run.scheduler}`);
    }
  }
}));

test("every sentence is that of its step", () => onPage(async (page) => {
  const run = story.scenes[1].runs.find((each) => each.scheduler === "work_stealing");
  const shown = await visit(page, run.steps.map((_, index) => index + 1), "document.querySelector('.sentence').textContent");
  assert.deepEqual(shown, run.steps.map((step) => step.sentence));
}));

test("everything can be done from the keyboard", () => onPage(async (page) => {
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await countText(page), /^step 2 of/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await countText(page), /^step 1 of/);
  await page.keyboard.press("Shift+ArrowRight");
  assert.match(await countText(page), /^step 11 of/);
  await page.keyboard.press("End");
  assert.match(await countText(page), /^step (\d+) of \1,/);
  await page.keyboard.press("Home");
  assert.match(await countText(page), /^step 0 of/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.locator(".racer[data-chosen=true] .name").textContent(), "Work stealing");
  await page.keyboard.press("Space");
  await page.locator("button[aria-label=Pause]").waitFor();
  await page.keyboard.press("Space");
  await page.locator("button[aria-label=Play]").waitFor();
}));

test("the tab key reaches every control, and what has the focus shows it", () => onPage(async (page) => {
  const reached = new Set();
  for (let i = 0; i < 20; ++i) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const at = document.activeElement;
      if (at === document.body) return null;
      const name = at.getAttribute("aria-label") ?? at.closest("label")?.textContent ?? at.textContent;
      return { name, outline: getComputedStyle(at).outlineStyle };
    });
    if (seen === null) break;
    assert.equal(seen.outline, "solid", seen.name);
    reached.add(seen.name);
  }
  for (const name of ["One-minute tour T", "Switch to the dark theme", "2Skewed tree", "Play", "Step forward", "To the end", "Step"]) {
    assert.ok([...reached].some((each) => each.trim() === name), `${name} in ${[...reached].join(" | ")}`);
  }
}));

test("the tour takes a minute, goes on by itself and says something else at each stop", () => onPage(async (page) => {
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 1000));
  await page.keyboard.press("t");
  assert.equal(await page.locator(".tour .left").textContent(), "60 s");
  const captions = [await page.locator(".caption").textContent()];
  await page.clock.runFor(6300);
  captions.push(await page.locator(".caption").textContent());
  for (; captions.length < 30; captions.push(await page.locator(".caption").textContent())) {
    await page.keyboard.press("ArrowRight");
    await page.clock.runFor(20);
    if ((await page.locator(".tour").count()) === 0) break;
  }
  assert.ok(captions.length >= 8, `${captions.length} stops`);
  assert.equal(new Set(captions).size, captions.length, captions.join("\n"));
}));

test("the tour can be hurried along, turned back and left from the keyboard", () => onPage(async (page) => {
  const caption = () => page.locator(".caption").textContent();
  await page.keyboard.press("t");
  const first = await caption();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((text) => document.querySelector(".caption").textContent !== text, first);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((text) => document.querySelector(".caption").textContent === text, first);
  await page.keyboard.press("Escape");
  await page.locator(".tour").waitFor({ state: "detached" });
}));

test("playing goes on by itself and stops at the end", () => onPage(async (page) => {
  await openTab(page, 3);
  const last = await lastStep(page);
  await visit(page, [last - 3], "0");
  await page.locator("select").selectOption("8");
  await page.keyboard.press("Space");
  assert.equal(await page.locator("button.primary").getAttribute("aria-label"), "Pause");
  await page.locator("button[aria-label=Play]").waitFor();
  assert.match(await countText(page), new RegExp(`^step ${last} of ${last},`));
}));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, () => onPage(async (page) => {
    const look = async (where) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), [], where);
    };
    for (let tab = 0; tab < tabCount(); ++tab) {
      await openTab(page, tab);
      await page.keyboard.press("Shift+ArrowRight");
      await look(`tab ${tab}`);
    }
    await page.keyboard.press("4");
    await page.keyboard.press("t");
    await look("tour");
  }, { colorScheme }));
}

test("the theme follows the system until the reader chooses", () => onPage(async (page) => {
  const shows = (theme) => page.waitForFunction((name) => document.documentElement.dataset.theme === name, theme);
  await shows("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shows("dark");
  await page.getByRole("button", { name: "Switch to the light theme" }).click();
  await shows("light");
}));

for (const width of [360, 768, 1920]) {
  test(`nothing is cut off at ${width} pixels`, () => onPage(async (page) => {
    for (let tab = 0; tab < tabCount(); ++tab) {
      await openTab(page, tab);
      const choices = await page.locator("main input[type=radio]").count();
      for (let choice = 0; choice < choices; ++choice) {
        await choose(page, choice);
        await visit(page, [40], "0");
        const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth,
          ...[...document.querySelectorAll("#scene svg, #scene button, #scene label, #scene code, #scene p")].map((each) => each.getBoundingClientRect().right)));
        assert.ok(wide <= width, `tab ${tab} choice ${choice}: ${wide}`);
      }
    }
  }, { viewport: { width, height: 800 } }));
}

test("tasks move smoothly, but not for readers who asked for less motion", async () => {
  const durationOf = async (reducedMotion) => {
    const tab = await open(browser, written.address, { reducedMotion });
    const duration = await tab.page.locator(".chip").first().evaluate((chip) => getComputedStyle(chip).transitionDuration);
    await tab.close();
    return duration;
  };
  assert.match(await durationOf("no-preference"), /0\.5s/);
  assert.equal(await durationOf("reduce"), "0s");
});
