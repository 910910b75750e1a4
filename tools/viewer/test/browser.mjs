// A browser for the tests: Debian's Chromium, or what FILCH_CHROMIUM names.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/** Far more than anything takes: a busy machine is no fault of the page. */
const patienceMs = 240_000;

/** The program under test. */
export function program() {
  if (!process.env.FILCH_PROGRAM) throw new Error("FILCH_PROGRAM names the filch program");
  return process.env.FILCH_PROGRAM;
}

/**
 * The page as `filch NAME` writes it, in a folder that `remove` deletes; and the same story as JSON. A `recording` in text form is put into a
 * file and given to the command, with further `options`.
 */
export function writtenPage(name, recording, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "filch-page-"));
  const file = join(folder, `${name}.html`), input = join(folder, "run.filch");
  if (recording) writeFileSync(input, JSON.stringify(recording));
  const command = recording ? [name, input, ...options] : [name];
  execFileSync(program(), [...command, "--html", file]);
  const story = JSON.parse(execFileSync(program(), [...command, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  return { address: pathToFileURL(file).href, story, input, remove: () => rmSync(folder, { recursive: true }) };
}

/** The page of a recording beside what `filch sweep --json` has printed. */
export function writtenSweep(recording, sweep) {
  const folder = mkdtempSync(join(tmpdir(), "filch-sweep-")), file = join(folder, "sweep.json");
  writeFileSync(file, JSON.stringify(sweep));
  try {
    return writtenPage("report", recording, ["--sweep", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const launch = () => chromium.launch({ executablePath: process.env.FILCH_CHROMIUM ?? "/usr/bin/chromium", args: flags, headless: true, timeout: patienceMs });

/** A tab with the page open. `troubles` fills with every request but the page itself, error and refusal. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const troubles = [];
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:")) troubles.push(`request ${request.url()}`);
  });
  page.on("pageerror", (error) => troubles.push(`error ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(`console ${message.text()}`);
  });
  await page.goto(address);
  return { page, troubles, close: () => context.close() };
}
