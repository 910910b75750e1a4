// Draws the pictures that pages of docs/ show: FILCH_PROGRAM=... node shots.mjs. With a folder it draws there, and also in dark and
// on a phone.
import { join } from "node:path";
import { launch, open, writtenPage } from "./test/browser.mjs";
import { busyRun } from "./test/recordings.mjs";

const folder = process.argv[2] ?? "../../docs/pictures";
const drawsAll = process.argv[2] !== undefined;
const shown = { name: "explain", tab: 2, step: 51, size: [1180, 1150], theme: "light" };
const others = [
  { name: "explain-dark", tab: 1, choice: 1, step: 40, size: [1180, 1150], theme: "dark" },
  { name: "explain-deque", tab: 5, choice: 3, step: 99, size: [1180, 900], theme: "light" },
  { name: "explain-phone", tab: 2, step: 51, size: [360, 760], theme: "dark" },
];

const browser = await launch();
const written = writtenPage("explain");
for (const { name, tab, choice, step, size: [width, height], theme } of drawsAll ? [shown, ...others] : [shown]) {
  const { page, close } = await open(browser, written.address, { viewport: { width, height }, colorScheme: theme });
  await page.keyboard.press(String(tab));
  if (choice !== undefined) await page.locator("main input[type=radio]").nth(choice).check();
  await page.evaluate(() => document.activeElement.blur());
  await page.locator("input[type=range]").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, step);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
written.remove();

const report = writtenPage("report", busyRun({ workers: 8, rounds: 60 }));
for (const theme of drawsAll ? ["light", "dark"] : ["light"]) {
  const { page, close } = await open(browser, report.address, { viewport: { width: 1180, height: 1000 }, colorScheme: theme });
  // The dark one from close up, where the steals are arrows, and narrowed.
  if (theme === "dark") {
    for (let i = 0; i < 6; ++i) await page.keyboard.press("+");
    const { x, y, width } = await page.locator(".plot > canvas").boundingBox();
    await page.mouse.move(x + 0.3 * width, y + 50);
    await page.mouse.down();
    await page.mouse.move(x + 0.75 * width, y + 50);
    await page.mouse.up();
    await page.mouse.move(0, 0);
  }
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, theme === "dark" ? "report-dark.png" : "report.png") });
  await close();
}
report.remove();
await browser.close();
