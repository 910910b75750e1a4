// Builds each page into one file that fetches nothing: node build.mjs [FOLDER], dist/ if none is given.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "dist"));
const titles = { explain: "How work stealing works", report: "Where the time went", scale: "What more cores bring" };
const empty = readFileSync(join(here, "src/shared/page.html"), "utf8");

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The script and the style of a page, each as one text. */
async function bundle(page) {
  const result = await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
    build: {
      write: false,
      target: "es2020",
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rollupOptions: { input: join(here, `src/${page}/main.tsx`), output: { format: "iife", inlineDynamicImports: true } },
    },
  });
  const parts = result.output;
  const script = parts.find((part) => part.type === "chunk").code.trim();
  const style = parts.find((part) => part.fileName.endsWith(".css")).source.trim();
  if (/<\/(script|style)/i.test(script + style)) throw new Error(`${page}: the bundle would end its own element`);
  return { script, style };
}

for (const [page, title] of Object.entries(titles)) {
  const { script, style } = await bundle(page);
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  // Functions, since in a replacement text `$&` would mean something.
  const html = empty
    .replace("POLICY", () => policy)
    .replace("TITLE", () => title)
    .replace("STYLE", () => style)
    .replace("SCRIPT", () => script);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${page}.html`), html);
}
