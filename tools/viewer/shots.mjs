// Draws the pictures of docs/: FILCH_PROGRAM=... node shots.mjs [FOLDER]
import { join } from "node:path";
import { launch, open, writtenPage } from "./test/browser.mjs";

const folder = process.argv[2] ?? "../../docs/pictures";
const shots = [
  { name: "explain", tab: 2, step: 51, size: [1180, 1150], theme: "light" },
  { name: "explain-dark", tab: 1, choice: 1, step: 40, size: [1180, 1150], theme: "dark" },
  { name: "explain-deque", tab: 5, choice: 3, step: 99, size: [1180, 900], theme: "light" },
  { name: "explain-phone", tab: 2, step: 51, size: [360, 760], theme: "dark" },
];

const browser = await launch();
const written = writtenPage("explain");
for (const { name, tab, choice, step, size: [width, height], theme } of shots) {
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
await browser.close();
written.remove();
