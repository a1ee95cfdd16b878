import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FetchFunction } from "#lib/fetch-function.ts";
import {
  allTexts,
  foreignSequences,
  hostile,
  poisonedResponse,
  shownTexts,
  type Poison,
} from "#test/support/hostile-text.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { embeddedPlace, filledWords, otherPlaces, type Place } from "./deployments.ts";
import { platformCalls, type PlatformCall } from "./platform-calls.ts";

/** The sequences that commands write themselves: tones, and the removal of the status line. */
const own = /\x1b\[(?:1|2|22|31|32|33|39)m|\r\x1b\[K/g;

const start = otherPlaces();
const embedded = embeddedPlace();

const forms: readonly {
  readonly name: string;
  readonly options: readonly string[];
  readonly terminal?: number;
}[] = [
  { name: "text on a terminal", options: ["--color"], terminal: 120 },
  { name: "--simple on a terminal", options: ["--simple"], terminal: 80 },
  { name: "--simple in a pipe", options: ["--simple"] },
  { name: "text in a pipe", options: [] },
  { name: "JSON on a terminal", options: ["--format", "json"], terminal: 80 },
  { name: "JSON in a pipe", options: ["--format", "json"] },
  { name: "CSV on a terminal", options: ["--format", "csv"], terminal: 80 },
];

/** Texts of several lines, as their authors wrote them. */
const hasOwnLines = /^(?:chat|publicapi|docs content)/;
/** Commands that write the data itself in text mode too. */
const writesData = /^(?:publicapi|workspace templates export)/;

async function expectHarmless(
  open: () => Promise<Place>,
  { words, after = [] }: PlatformCall,
  poison: Poison,
): Promise<void> {
  for (const { name, options, terminal } of forms) {
    const { names, run, fetch } = await open();
    for (const earlier of after) await run(filledWords(earlier, names));
    const hostileNetwork: FetchFunction = async (request) =>
      await poisonedResponse(await fetch(request), poison);
    const { stdout, stderr } = await run([...filledWords(words, names), ...options], {
      fetch: hostileNetwork,
      stdin: "",
      ...(terminal === undefined ? {} : { terminal }),
    });
    const isJson = name.startsWith("JSON");
    // A pipe gets JSON and the bytes of a raw answer as the platform sent them.
    const isData = terminal === undefined && (isJson || writesData.test(words));
    const shown = isData ? stderr : stdout + stderr;
    expect({ name, words, found: foreignSequences(shown, own) }).toEqual({
      name,
      words,
      found: [],
    });
    // A terminal wraps long lines between words.
    if (terminal !== undefined || isJson || hasOwnLines.test(words)) continue;
    expect({ name, forged: /^forged.*$/m.exec(shown)?.[0] }).toEqual({ name, forged: undefined });
  }
}

describe("a platform that sends control sequences in each text that is shown:", () => {
  test.each(platformCalls)("svc $words", async (call) => {
    const wish = { document: /\{(?:job|document)\}/.test(call.words) };
    await expectHarmless(() => embedded(wish), call, shownTexts);
  });

  describe.each(dialects.slice(1, 2))("$name:", (dialect) => {
    test.each(platformCalls)("svc $words", async (call) => {
      await expectHarmless(() => start(dialect), call, shownTexts);
    });
  });
});

describe("a platform that sends them also in ids, types and states:", () => {
  // A wait would last until its timeout, for a state that is not known.
  const calls = platformCalls.filter(({ words }) => !words.includes("--wait"));
  test.each(calls)("svc $words", async (call) => {
    const wish = { document: /\{(?:job|document)\}/.test(call.words) };
    await expectHarmless(() => embedded(wish), call, allTexts);
  });
});

test("JSON holds what the platform sent", async () => {
  const { names, run, fetch } = await embedded();
  for (const terminal of [undefined, 80]) {
    const { stdout } = await run(
      filledWords("resources get street-tree {record} --format json", names),
      {
        fetch: async (request) => await poisonedResponse(await fetch(request), shownTexts),
        ...(terminal === undefined ? {} : { terminal }),
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ data: { species: `elm${hostile}` } });
  }
});

test("pulled types are ASCII source with the original values", async () => {
  const { names, run, fetch } = await embedded();
  const folder = names["folder"] ?? "";
  const { stderr, exitCode } = await run(["types", "pull", "--output", join(folder, "odd.ts")], {
    fetch: async (request) => await poisonedResponse(await fetch(request), shownTexts),
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const source = await Bun.file(join(folder, "odd.ts")).text();
  expect(foreignSequences(source, own)).toEqual([]);
  expect(source).not.toMatch(/[^\n\x20-\x7e…]/);
  const module = (await import(join(folder, "odd.ts"))) as {
    readonly objectTypes: readonly { readonly name: string }[];
  };
  expect(module.objectTypes.map(({ name }) => name)).toContain(`Tree${hostile}`);
  const files = await readdir(folder);
  expect(files.filter((name) => foreignSequences(name, own).length > 0)).toEqual([]);
});
