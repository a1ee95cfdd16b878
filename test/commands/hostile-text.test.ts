import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  foreignSequences,
  hostile,
  poisonedResponse,
  shownTexts,
} from "#test/support/hostile-text.ts";
import { embeddedPlace } from "./deployments.ts";
import { ownSequences } from "./hostile-text.ts";
import { filledWords } from "./trial-calls.ts";

const embedded = embeddedPlace();

test("JSON has what the platform sent", async () => {
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
  expect(foreignSequences(source, ownSequences)).toEqual([]);
  expect(source).not.toMatch(/[^\n\x20-\x7e…]/);
  const module = (await import(join(folder, "odd.ts"))) as {
    readonly objectTypes: readonly { readonly name: string }[];
  };
  expect(module.objectTypes.map(({ name }) => name)).toContain(`Tree${hostile}`);
  const files = await readdir(folder);
  expect(files.filter((name) => foreignSequences(name, ownSequences).length > 0)).toEqual([]);
});
