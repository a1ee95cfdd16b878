import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { userEnvironment } from "#test/support/environment.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { keys, openTerminal, type OpenedTerminal } from "#test/support/tty.ts";

const samples = join(import.meta.dirname, "../../src/server/sample-data/files");
let platform: RunningPlatform;
let home = "";
let env: Record<string, string> = {};

/** `svc <words>` in a new terminal, 80 by 24 by default. */
async function open(
  words: readonly string[],
  size: { cols?: number; rows?: number; noColor?: boolean } = {},
): Promise<OpenedTerminal> {
  const { noColor, ...window } = size;
  return openTerminal({
    command: await svcExecutable(),
    args: words,
    cwd: home,
    env: userEnvironment(home, { ...env, ...(noColor === true ? { NO_COLOR: "1" } : {}) }),
    ...window,
  });
}

/** The lines of the screen without empty ones. */
const shown = (terminal: OpenedTerminal): string[] =>
  terminal.screen().filter((line) => line !== "");

beforeAll(async () => {
  [platform, home] = await Promise.all([
    startPlatform({ hasSamples: true }),
    temporaryDirectory("home"),
  ]);
  env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  await svc(["workspace", "select", "planning"], { home, env });
  await documentsReady();
}, 60_000);

/** Waits for the jobs of the sample documents: answers come from what has been read. */
async function documentsReady(): Promise<void> {
  const jobs = z.object({ items: z.array(z.object({ jobId: z.string() })) });
  const { stdout } = await svc(["publicapi", "get", "/v4/data/documents/jobs"], { home, env });
  for (const { jobId } of jobs.parse(JSON.parse(stdout)).items) {
    expect(await svc(["docs", "job", jobId, "--wait"], { home, env })).toMatchObject({
      exitCode: 0,
    });
  }
}

async function firstRecord(type: string): Promise<string> {
  const words = ["resources", "list", type, "--limit", "1", "--format", "json"];
  const { stdout } = await svc(words, { home, env });
  const list = z.object({ items: z.tuple([z.object({ id: z.string() })]) });
  return list.parse(JSON.parse(stdout)).items[0].id;
}

describe("questions", () => {
  test("workspace select shows the tree and takes a number", async () => {
    await using terminal = await open(["workspace", "select"]);
    await terminal.waitFor("Which one (number or slug)?");
    expect(shown(terminal)).toEqual([
      "#  SLUG               NAME               ROLE",
      "1  northwind-council  Northwind Council  tenant-admin",
      "2    licensing        Licensing          tenant-admin",
      "3    planning         Planning           tenant-admin",
      "Which one (number or slug)?",
    ]);
    await terminal.type("3");
    terminal.write(keys.enter);
    expect(await terminal.exitCode).toBe(0);
    expect(shown(terminal).at(-1)).toMatch(/^Selected planning \([0-9a-f-]{36}\)$/);
  });

  test("resources delete asks, and Ctrl-C or the end of input is no yes", async () => {
    const id = await firstRecord("assess-case");
    const words = ["resources", "delete", "assess-case", id];
    const question = `Delete assess-case ${id}? [y/N]`;
    const answers = [
      [keys.ctrl("c"), 130, "Interrupted. Help: `svc resources delete --help`"],
      [keys.ctrl("d"), 1, "Help: `svc resources delete --help`, `svc errors E305`"],
      [`n${keys.enter}`, 1, "Help: `svc resources delete --help`, `svc errors E305`"],
    ] as const;
    for (const [answer, exitCode, last] of answers) {
      await using terminal = await open(words);
      await terminal.waitFor(question);
      terminal.write(answer);
      expect(await terminal.exitCode).toBe(exitCode);
      expect(shown(terminal).at(-1)).toBe(last);
      expect(terminal.modes()).toMatchObject({ raw: false, cursorHidden: false });
    }
    expect(await firstRecord("assess-case")).toBe(id);
    await using terminal = await open(words);
    await terminal.waitFor(question);
    terminal.write(`y${keys.enter}`);
    expect(await terminal.exitCode).toBe(0);
    expect(shown(terminal).at(-1)).toBe(`Deleted assess-case ${id}`);
  });
});

describe("tables", () => {
  test.each([60, 80, 120])(
    "at %i columns each record has one line, and its whole ID",
    async (cols) => {
      const words = ["resources", "list", "planning-application", "--limit", "5"];
      await using terminal = await open(words, { cols, rows: 20 });
      expect(await terminal.exitCode).toBe(0);
      const lines = shown(terminal);
      expect(lines).toHaveLength(7);
      expect(lines[0]).toMatch(/^ID +V( +REFERENCE)?/);
      expect(lines.slice(1, 6).every((line) => /^[0-9a-f-]{36} {2}\d/.test(line))).toBe(true);
      expect(lines[6]).toBe("More: --page 2");
    },
  );

  test("colour is for headings and errors, and goes with NO_COLOR", async () => {
    await using colour = await open(["errors", "E201"]);
    await colour.exitCode;
    expect(colour.cell(0, 0)).toMatchObject({ text: "c", dim: true });
    await using plain = await open(["errors", "E201"], { noColor: true });
    await plain.exitCode;
    expect(plain.cell(0, 0)).toMatchObject({ text: "c", dim: false });
    await using failed = await open(["errors", "E999"]);
    expect(await failed.exitCode).toBe(1);
    expect(failed.cell(0, 0)).toMatchObject({ text: "E", foreground: 1 });
    await using plainly = await open(["errors", "E999"], { noColor: true });
    await plainly.exitCode;
    expect(plainly.raw()).not.toContain("\x1b[");
  });

  test("long words of an error break between words", async () => {
    const where = '{"status":{"$foo":1}}';
    const words = ["resources", "list", "planning-application", "--where", where];
    await using terminal = await open(words, { cols: 60 });
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.screen().slice(0, 2)).toEqual([
      "Error E302: Validation failed: #/query/where/status/$foo is",
      "not a known operator: there are $eq, $ne, $gt, $gte, $lt,",
    ]);
  });
});

test("an answer that streams breaks between words, and so do its quotes", async () => {
  const question = "How many parking spaces does the Quay Street plan provide?";
  const words = ["chat", "stream", question, "--workflow", "planning-assistant"];
  await using terminal = await open(words);
  expect(await terminal.exitCode).toBe(0);
  const quote = "The plan provides 24 parking spaces for cars in the rear yard, reached from";
  expect(shown(terminal)).toEqual(
    expect.arrayContaining([
      `“${quote}`,
      "Chandlers Lane.” [1]",
      '[1] planning-statement-18-quay-street.pdf, page 2: "The plan provides 24',
      '    parking spaces for cars in the rear yard, reached from Chandlers Lane."',
      expect.stringMatching(/^conversation [0-9a-f-]{36}$/),
    ]),
  );
});

test("a wait shows its stages on one line, takes it back, and leaves the answer", async () => {
  const id = await firstRecord("planning-application");
  const file = join(samples, "planning-statement-18-quay-street.pdf");
  await using upload = await open(["docs", "upload", file, "--planning-application-id", id]);
  expect(await upload.exitCode).toBe(0);
  expect(upload.raw()).toMatch(/\r\x1b\[KSending planning-statement-18-quay-street\.pdf \d+ %/);
  const [follow = ""] = shown(upload).slice(-1);
  const job = /^ {2}svc (docs job [0-9a-f-]{36} --wait)$/.exec(follow)?.[1] ?? "";
  await using wait = await open(job.split(" "));
  expect(await wait.exitCode).toBe(0);
  expect(wait.raw()).toMatch(/\r\x1b\[K(queued|running|succeeded) {2}store/);
  expect(shown(wait)).toEqual([
    expect.stringMatching(/^job {8}[0-9a-f-]{36}$/),
    "status     succeeded",
    "percent    100",
    "stages     store ✓  extract ✓  classify ✓  analyze ✓  index ✓",
    expect.stringMatching(/^documents {2}[0-9a-f-]{36}$/),
    "attempt    1",
  ]);
});
