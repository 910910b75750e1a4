// What tests of the report page share: a tab with it, and how to read and drive it.
import assert from "node:assert/strict";
import { open } from "./browser.mjs";

/** Runs `check` on a fresh tab with the page at an address, and fails if the page asked for anything or complained. */
export async function onPageOf(browser, { address }, options, check) {
  const tab = await open(browser, address, options);
  try {
    await tab.page.locator("canvas").first().waitFor();
    await check(tab.page);
    assert.deepEqual(tab.troubles, []);
  } finally {
    await tab.close();
  }
}

export const percent = (share) => `${Math.abs(100 * share) < 9.95 ? (100 * share).toFixed(1) : (100 * share).toFixed(0)} %`;
export const viewOf = (page) => page.locator(".plot > canvas").evaluate((canvas) => [Number(canvas.dataset.begin), Number(canvas.dataset.end)]);
/** Each use in a list of them, with its share. */
export const sharesIn = (page, section) => page.locator(section).locator(".legend li[data-use]").evaluateAll((items) =>
  Object.fromEntries(items.map((item) => [item.dataset.use, item.querySelector("strong").textContent])));
export const stealsShown = (page) => page.locator(".matrix tbody td:not(.self)").evaluateAll((cells) => cells.reduce((sum, cell) => sum + Number(cell.textContent.replace(/,/g, "")), 0));
/** Until what follows `pauseMs` later has been drawn, by the page's own timers: a busy machine delays those of the page and this alike. */
const drawnAfter = (page, pauseMs) => page.evaluate((ms) => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), ms)), pauseMs);
/** Until what takes longer than a frame has followed. */
export const settled = (page) => drawnAfter(page, 250);
/** Until what follows at once has been drawn. */
export const drawn = (page) => drawnAfter(page, 60);
export async function dragOver(page, from, to) {
  const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
  await page.mouse.move(x + from * width, y + 50);
  await page.mouse.down();
  await page.mouse.move(x + ((from + to) / 2) * width, y + 60);
  await page.mouse.move(x + to * width, y + 60);
  await page.mouse.up();
  await settled(page);
}

/** As wide as a phone, with nothing cut off once the plot has been drawn anew. */
export async function becomesNarrow(page) {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360, null, { timeout: 10_000 });
}
