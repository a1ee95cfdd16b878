import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment } from "../support/environment.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const repository = resolve(import.meta.dirname, "../..");

/** Runs vitest with the reporter on these files; returns the counts and the output. */
async function run(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ counts: unknown; output: string }> {
  const root = await temporaryDirectory("reporter");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const counts = join(root, "counts.json");
  const child = Bun.spawn(
    [
      process.execPath,
      join(repository, "node_modules/vitest/vitest.mjs"),
      "run",
      `--root=${root}`,
      "--globals",
      "--pool=threads",
      `--reporter=${join(repository, "scripts/test-reporter.ts")}`,
    ],
    {
      cwd: repository,
      env: cleanEnvironment({ ...env, SVC_TEST_COUNTS: counts }),
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const output = await new Response(child.stdout).text();
  await child.exited;
  return { counts: await Bun.file(counts).json(), output };
}

async function count(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return (await run(files, env)).counts;
}

test("counts what passed, failed and was skipped, and says why", async () => {
  const counts = await count({
    "some.test.ts": `
      test("a", () => {});
      test("b", () => expect(1).toBe(2));
      describe.skip("stores on postgresql [needs a server]", () => {
        test("c", () => {});
        test("d", () => {});
      });
      test.todo("e");`,
  });
  expect(counts).toEqual({
    passed: 1,
    failed: 1,
    skipped: 3,
    reasons: ["needs a server", "skipped by its author: e"],
  });
});

test("a file that can't be loaded, a failed hook and an unhandled error each count as failed", async () => {
  const counts = await count({
    "broken.test.ts": `throw new Error("at load");`,
    "hook.test.ts": `describe("s", () => { afterAll(() => { throw new Error("hook"); }); test("a", () => {}); });`,
    "unhandled.test.ts": `test("b", () => { setTimeout(() => { throw new Error("late"); }); return new Promise((r) => setTimeout(r, 50)); });`,
  });
  expect(counts).toEqual({ passed: 2, failed: 3, skipped: 0, reasons: [] });
});

test("what a machine lacks is skipped with its reason, and a failure where CI is set", async () => {
  const files = {
    "needy.test.ts": `
      import { describeNeeding } from "${join(repository, "test/support/needs.ts")}";
      describeNeeding("stores", "needs a server", () => { test("a", () => {}); test("b", () => {}); });
      describeNeeding("files", undefined, () => { test("c", () => {}); });`,
  };
  expect(await count(files)).toEqual({
    passed: 1,
    failed: 0,
    skipped: 2,
    reasons: ["needs a server"],
  });
  expect(await count(files, { CI: "true" })).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    reasons: [],
  });
});

test("the slowest tests are listed, and one that takes too long fails outside test/e2e", async () => {
  const slow = `test("waits", () => new Promise((done) => setTimeout(done, 300)));`;
  const files = {
    "slow.test.ts": slow,
    "test/e2e/slow.test.ts": slow,
    "quick.test.ts": `test("ends", () => {});`,
  };
  const { counts, output } = await run(files, { SVC_TEST_LIMIT_MS: "200" });
  expect(counts).toEqual({ passed: 3, failed: 1, skipped: 0, reasons: [] });
  expect(output).toContain("failed: slow.test.ts > waits takes longer than 0.2 s");
  const listed = output.slice(output.indexOf("slowest tests:")).split("\n");
  expect(listed.slice(1, 4).map((line) => line.replace(/^ +[\d.]+ s {2}/, ""))).toEqual([
    expect.stringMatching(/slow\.test\.ts > waits$/),
    expect.stringMatching(/slow\.test\.ts > waits$/),
    "quick.test.ts > ends",
  ]);
});

test("the limit of the time is that of each try", async () => {
  const files = {
    "unsteady.test.ts": `
      let tries = 0;
      test("both together", { retry: 1 }, async () => {
        await Bun.sleep(850);
        expect((tries += 1)).toBe(2);
      });
      test("each", { retry: 1 }, async () => {
        await Bun.sleep(1_700);
        expect((tries += 1)).toBe(4);
      });`,
  };
  const { counts, output } = await run(files, { SVC_TEST_LIMIT_MS: "1500" });
  expect(counts).toMatchObject({ passed: 2, failed: 1 });
  expect(output).toContain("failed: unsteady.test.ts > each takes longer than 1.5 s");
});

test("names what passed at the second try only", async () => {
  const { counts, output } = await run({
    "unsteady.test.ts": `
      let tries = 0;
      test("now and then", { retry: 1 }, () => expect((tries += 1)).toBe(2));
      test("never", { retry: 1 }, () => expect(1).toBe(2));`,
  });
  expect(counts).toMatchObject({ passed: 1, failed: 1 });
  const named = output.split("\n").filter((line) => line.startsWith("passed at the second try"));
  expect(named).toEqual(["passed at the second try only: unsteady.test.ts > now and then"]);
});
