import { afterAll, describe, expect, test } from "vitest";
import { given } from "#lib/given.ts";
import { everyDialect, wordedDialects } from "#test/support/other-deployment/all-dialects.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { sized } from "#test/support/size.ts";
import { otherPlaces, type Place } from "./deployments.ts";
import { expectAsDescribed } from "./described.ts";
import { callsAt, filledWords, inEachForm, type Area, type TrialCall } from "./trial-calls.ts";
import type { Called } from "./world.ts";

const bothFormats = ["text", "json"];

/**
 * The formats of a call at the dialect of this index. A usual run has text at every second dialect
 * and JSON at the others, the other way round for the next call: what a dialect changes is read
 * before it is printed. A call at one dialect has both.
 */
function formatsOf(call: TrialCall, callIndex: number, dialectIndex: number): readonly string[] {
  if (call.isTyped === true) return ["text"];
  if (call.isAddition) return bothFormats;
  const at = (callIndex + dialectIndex) % bothFormats.length;
  return sized(bothFormats.slice(at, at + 1), bothFormats);
}

/** Runs a call in formats, each time in its own place, unless it reads. */
async function expectCall(
  formats: readonly string[],
  open: () => Promise<Place>,
  call: TrialCall,
  exitCode: number,
): Promise<void> {
  await inEachForm(call, formats, (format) => expectFormat(format, open, call, exitCode));
}

async function expectFormat(
  format: string,
  open: () => Promise<Place>,
  { words, after, stdin, isTyped }: TrialCall,
  exitCode: number,
): Promise<void> {
  const settings = given({ stdin, terminal: isTyped === true ? 80 : undefined });
  const { names, run } = await open();
  for (const earlier of after) {
    const first = await run(filledWords(earlier, names));
    expect({ earlier, ...shown(first) }).toMatchObject({ exitCode: 0 });
  }
  const called = await run([...filledWords(words, names), "--format", format], settings);
  expect({ words, format, ...shown(called) }).toMatchObject({ exitCode });
  expect(called.stdout + called.stderr).not.toMatch(/undefined|\[object |\bNaN\b|\n {4}at /);
  if (exitCode !== 0) expectAbsence(words, format, called);
  if (format === "json" && exitCode !== 0) expectAsDescribed(words.split(" "), called);
  else if (format === "json" && !words.startsWith("chat stream")) {
    expect(() => called.json, called.stdout).not.toThrow();
  }
}

/** A failure for want of a route points to the command that reports what the platform has. */
function expectAbsence(words: string, format: string, called: Called): void {
  const { stdout, stderr } = called;
  const text = format === "json" ? stdout : stderr;
  // A name that is not in a served list, or a document of which only the id is known, comes first.
  const isSought = /^(?:workspace restore|user role delete|docs open) /.test(words);
  if (goesOn.test(words) && text.includes("outcome not confirmed")) return;
  if (words === "verify" && stdout.includes("HTTP 204 with an empty body")) return;
  if (!isSought) expect({ words, text }).toEqual({ words, text: expect.stringMatching(lacking) });
}

const lacking = /`svc verify calls` reports|"status": (?:404|405|501)/;

function shown({ exitCode, stdout, stderr }: Awaited<ReturnType<Place["run"]>>) {
  return { exitCode, stdout, stderr };
}

/** Calls that go on with the id of a child, which only the answer or the list of workspaces has. */
const goesOn = /^(?:workspace create .*--parent|app create .*--child-tenant-slug) /;
/** Calls after one of those. */
const comesAfter = /^workspace delete /;

/** One line for each call of the specification: how it went at each dialect that words answers. */
class Table {
  readonly #rows = new Map<string, Map<string, string>>();

  note(words: string, dialect: string, outcome: string): void {
    const row = this.#rows.get(words) ?? new Map<string, string>();
    this.#rows.set(words, row.set(dialect, outcome));
  }

  text(): string {
    const names = wordedDialects.map(({ name }) => name);
    const lines = [...this.#rows].map(([words, row]) =>
      [...names.map((name) => (row.get(name) ?? "-").padEnd(name.length)), words].join("  "),
    );
    return [[...names, "call"].join("  "), ...lines].join("\n");
  }

  /** The calls that failed where the deployment did what was asked. */
  refusals(): number {
    return [...this.#rows.values()].flatMap((row) => [...row.values()]).filter((one) => one === "✗")
      .length;
  }
}

/** The tests of an area: each of its calls at a deployment of each dialect. */
export function describeOtherDeployments(area: Area): void {
  const start = otherPlaces();
  const table = new Table();
  const areaCalls = callsAt("other", area);
  // All dialects lack the additions, each with its own status and body: each addition has one.
  const additions = areaCalls.filter(({ isAddition }) => isAddition);
  const lackedAt = new Map(
    additions.map((call, index) => [call, dialects[index % dialects.length]]),
  );
  afterAll(() => {
    console.log(`${table.text()}\n${area}: ${table.refusals()} refused wrongly`);
  });
  describe.each(everyDialect)("$name:", (dialect) => {
    const isUnconfirmed = dialect.unconfirmed === true && dialect.joinsChildren !== true;
    const isWorded = wordedDialects.includes(dialect);
    const calls = areaCalls.filter(
      (call) =>
        (!call.isAddition || lackedAt.get(call) === dialect) &&
        !(isUnconfirmed && comesAfter.test(call.words)),
    );
    test.each(calls)("svc $words", async (call) => {
      const lacks = call.needs !== undefined && dialect.without.includes(call.needs);
      // Earlier calls of an addition are additions too.
      const made = call.isAddition ? { ...call, after: [] } : call;
      const wish = { isShared: call.isReading };
      const isOpen = isUnconfirmed && goesOn.test(`${call.words} `);
      if (isWorded) table.note(call.words, dialect.name, "✗");
      // An empty answer does not state the health of a platform.
      const isUntold = call.words === "verify" && dialect.health === "empty";
      const exitCode = lacks || call.isAddition || isOpen || isUntold ? 1 : 0;
      const formats = formatsOf(call, areaCalls.indexOf(call), everyDialect.indexOf(dialect));
      await expectCall(formats, () => start(dialect, wish), made, exitCode);
      if (isWorded) table.note(call.words, dialect.name, isOpen ? "?" : "✓");
    });
  });
}
