import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { expect, test } from "vitest";
import { repository } from "../../scripts/build/executable.ts";
import { early, inOrder, isEarly } from "../../scripts/test-order.ts";

const e2e = "test/e2e/start.test.ts";
const long = "test/ui/long.test.ts";
const records = "test/server/domains/records/read/list.test.ts";
const pattern = "test/lib/pattern.test.ts";

test("a run begins with the tests that need no build, and with the longest of them", () => {
  const seconds = new Map([
    [long, 60],
    [records, 2],
  ]);
  const files = [e2e, pattern, long, records].map((path) => ({ path }));
  const ordered = inOrder(files, { pathOf: ({ path }) => path, seconds });
  expect(ordered.map(({ path }) => path)).toEqual([records, pattern, long, e2e]);
});

test("files of one length keep their order", () => {
  const files = ["test/e2e/b.test.ts", "test/e2e/a.test.ts"];
  expect(inOrder(files, { pathOf: (path) => path, seconds: new Map() })).toEqual(files);
});

/** The modules that start dist/svc for others. */
const starters = ["test/support/svc.ts", "test/support/platform-process.ts"];
const starts = /\b(?:svcExecutable|extractionProgram|startPlatform|startPlatformProcess|svc)\(/;

/** Adds a test module and those that it imports, to the end. */
function addModules(path: string, found: Map<string, string>): Map<string, string> {
  if (found.has(path) || !existsSync(join(repository, path))) return found;
  const text = readFileSync(join(repository, path), "utf8");
  found.set(path, text);
  for (const [, wanted = ""] of text.matchAll(/(?:from|import\() ?"(#test\/[^"]+|\.[^"]+)"/g)) {
    const isNamed = wanted.startsWith("#test/");
    addModules(isNamed ? wanted.slice(1) : join(dirname(path), wanted), found);
  }
  return found;
}

test("no early test starts dist/svc", () => {
  const found = new Map<string, string>();
  for (const folder of early) {
    const files = [...new Glob("**/*.test.{ts,tsx}").scanSync(join(repository, folder))];
    expect(files.length, folder).toBeGreaterThan(0);
    for (const file of files) addModules(`${folder}${file}`, found);
  }
  const others = [...found].filter(([path]) => !starters.includes(path));
  expect(others.filter(([, text]) => starts.test(text)).map(([path]) => path)).toEqual([]);
  expect(isEarly(e2e)).toBe(false);
  // The search finds those who do.
  const late = addModules("test/e2e/start-up.test.ts", new Map());
  expect([...late.values()].some((text) => starts.test(text))).toBe(true);
});
