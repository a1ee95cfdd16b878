import { describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { expectAsDescribed } from "./described.ts";
import { filledWords, otherPlaces, type Place } from "./deployments.ts";
import {
  commandsOfMembers,
  commandsWithoutPlatform,
  platformCalls,
  type PlatformCall,
} from "./platform-calls.ts";

const start = otherPlaces();

test("every command that talks to a platform has a line", () => {
  const paths = commandTable.commands.map(({ path }) => path);
  const known = (path: string): boolean =>
    commandsWithoutPlatform.has(path) ||
    commandsOfMembers.has(path) ||
    platformCalls.some(({ words }) => {
      const own = paths.filter((other) => `${words} `.startsWith(`${other} `));
      return own.toSorted((one, other) => other.length - one.length)[0] === path;
    });
  expect(paths.filter((path) => !known(path))).toEqual([]);
});

/** Runs a call as text and as JSON, each time in a fresh place. */
async function expectCall(
  open: () => Promise<Place>,
  { words, after = [] }: PlatformCall,
  exitCode: number,
): Promise<void> {
  for (const format of ["text", "json"]) {
    const { names, run } = await open();
    for (const earlier of after) {
      const first = await run(filledWords(earlier, names));
      expect({ earlier, ...shown(first) }).toMatchObject({ exitCode: 0 });
    }
    const called = await run([...filledWords(words, names), "--format", format]);
    expect({ words, format, ...shown(called) }).toMatchObject({ exitCode });
    expect(called.stdout + called.stderr).not.toMatch(/undefined|\[object |\bNaN\b|\n {4}at /);
    if (format === "json" && exitCode !== 0) expectAsDescribed(words.split(" "), called);
    else if (format === "json" && !words.startsWith("chat stream")) {
      expect(() => called.json, called.stdout).not.toThrow();
    }
  }
}

function shown({ exitCode, stdout, stderr }: Awaited<ReturnType<Place["run"]>>) {
  return { exitCode, stdout, stderr };
}

describe.each(dialects)("$name:", (dialect) => {
  test.each(platformCalls)("svc $words", async (call) => {
    const lacks = call.needs !== undefined && dialect.without.includes(call.needs);
    // Earlier calls of an addition are additions too.
    const made = call.isAddition === true ? { ...call, after: [] } : call;
    await expectCall(() => start(dialect), made, lacks || call.isAddition === true ? 1 : 0);
  });
});
