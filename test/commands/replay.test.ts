import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { createTestPlatform } from "#test/support/platform.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandNamed, expectAsDescribed } from "./described.ts";
import { embeddedPlace, type Place } from "./deployments.ts";
import { callsAt, filledWords, namesTree, type TrialCall } from "./trial-calls.ts";
import { runCommand, type CallSettings } from "./world.ts";

/** Every command in a pipe, on a terminal and in a CI job, against the schemas of `--describe`. */

const ways: readonly (readonly [name: string, settings: CallSettings])[] = [
  ["a pipe", {}],
  ["a terminal", { terminal: 100 }],
  ["a CI job", { variables: { CI: "1" } }],
];

/**
 * The formats of a call in a way. A CI job has the data of a pipe, and lines are those of JSON. In
 * a usual run a pipe has the text of a CI job, and every third call has JSON on a terminal.
 */
function formatsOf(
  { variables, terminal }: CallSettings,
  { hasRows, index }: { readonly hasRows: boolean; readonly index: number },
): readonly string[] {
  if (variables?.["CI"] !== undefined) return ["text"];
  if (terminal !== undefined) return sized(index % 3 === 0, true) ? ["text", "json"] : ["text"];
  const data = hasRows ? ["json", "ndjson"] : ["json"];
  return sized(data, ["text", ...data]);
}

const embedded = embeddedPlace();
const embeddedCalls = callsAt("embedded");

async function expectCall(call: TrialCall, settings: CallSettings) {
  const { words, after, isReading } = call;
  const wish = {
    document: /\{(?:job|document)\}/.test(words),
    words,
    isShared: isReading,
    hasRecord: namesTree({ words, after }),
  };
  const { formats, rows } = commandNamed(words.split(" "));
  const hasRows = formats === "rows" || rows !== undefined;
  for (const format of formatsOf(settings, { hasRows, index: embeddedCalls.indexOf(call) })) {
    const place = await embedded(wish);
    for (const earlier of after) await expectDone(place, earlier);
    const filled = filledWords(words, place.names);
    const called = await place.run([...filled, "--format", format], settings);
    const { exitCode, stdout, stderr } = called;
    expect({ words, format, exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout + stderr).not.toMatch(/undefined|\[object |\bNaN\b|\n {4}at /);
    if (format === "json") expectAsDescribed(filled, called);
    if (format === "ndjson") expectLines(stdout);
  }
}

/** Each line is one JSON value. */
function expectLines(stdout: string): void {
  for (const line of stdout.split("\n").slice(0, -1)) {
    expect(() => JSON.parse(line), line).not.toThrow();
  }
}

async function expectDone(place: Place, words: string): Promise<void> {
  const { exitCode, stderr } = await place.run(filledWords(words, place.names));
  expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
}

describe.each(ways)("the embedded platform, in %s:", (_name, settings) => {
  test.each(embeddedCalls)("svc $words", async (call) => {
    await expectCall(call, settings);
  });
});

const manifest = { version: 1, documentTypes: {} };

let project = "";
beforeAll(async () => {
  const home = await temporaryDirectory("home");
  const made = await runCommand("init portal --skip-prompts", { currentDirectory: home });
  expect(made).toMatchObject({ exitCode: 0 });
  project = join(home, "portal");
  await Bun.write(join(project, ".env.local"), "COLOUR=green\n");
  await Bun.write(join(project, "blocks.json"), "[]");
  await Bun.write(join(project, "understanding.json"), JSON.stringify(manifest));
  const dataDirectory = join(project, "data");
  await mkdir(dataDirectory);
  const path = join(dataDirectory, "svc.db");
  const platform = await createTestPlatform({
    database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
    options: { dataDirectory },
  });
  await platform.close();
});

describe.each(ways)("without a platform, in %s:", (name, settings) => {
  // `data` in their words has an empty platform's data.
  test.each(callsAt("local"))("svc $words", async ({ words }) => {
    const filled = filledWords(words, { unique: name.replaceAll(" ", "-") });
    const called = await runCommand([...filled, "--format", "json"], {
      currentDirectory: project,
      config: await temporaryDirectory("config"),
      ...settings,
      variables: { ...settings.variables, SVC_WEBSITE_URL: "https://website.test" },
    });
    const { exitCode, stdout, stderr } = called;
    expect({ words, exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expectAsDescribed(filled, called);
  });
});

describe("every command's error fits its schema", () => {
  const strict = commandTable.commands.filter(
    ({ anyOptions, formats }) => anyOptions !== true && formats !== false,
  );
  test.each(strict.map(({ path }) => path))("svc %s", async (path) => {
    for (const [, settings] of ways) {
      const words = [...path.split(" "), "--bogus", "--format", "json"];
      const called = await runCommand(words, settings);
      expect(called.exitCode).toBe(2);
      expectAsDescribed(words, called);
    }
  });

  test.each(["types define Tree", "resources indexes-apply --object-type tree"])(
    "svc %s is refused",
    async (words) => {
      const called = await runCommand(`${words} --format json`);
      expect(called.exitCode).toBe(1);
      expectAsDescribed(words.split(" "), called);
    },
  );
});
