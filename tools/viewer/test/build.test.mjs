// The committed pages are what their sources make, and their sources type-check.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const viewer = fileURLToPath(new URL("..", import.meta.url));
const node = (...args) => execFileSync(process.execPath, args, { cwd: viewer, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

test("dist/ is what the sources make; otherwise run `npm run build` in tools/viewer", () => {
  const folder = mkdtempSync(join(tmpdir(), "filch-build-"));
  try {
    node("build.mjs", folder);
    const built = readdirSync(folder);
    assert.deepEqual(readdirSync(join(viewer, "dist")).sort(), built.sort());
    for (const page of built) assert.ok(readFileSync(join(viewer, "dist", page)).equals(readFileSync(join(folder, page))), page);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the sources have the types they say", () => {
  node("node_modules/typescript/bin/tsc", "--noEmit");
});

test("the lock file names no registry", () => {
  assert.doesNotMatch(readFileSync(join(viewer, "package-lock.json"), "utf8"), /"resolved"|registry/);
});
