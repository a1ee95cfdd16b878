import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isTypeScript, listFiles, repository } from "./source.ts";
import { sentenceOffences } from "./sentences.ts";
import { avoidedWordings, offencesInDocument, offencesInSource } from "./words.ts";

const maximumColumns = 100;
const paths = await listFiles();
/** Text that is data: examples for the classifier, and the cases below. */
const data = /^src\/server\/sample-data\/classifier\/|^test\/architecture\/language\.test\.ts$/;
const sources = paths.filter(
  (path) => isTypeScript(path) && /^(?:src|ui|test|scripts)\//.test(path) && !data.test(path),
);
const documents = paths.filter((path) => /^(?:[A-Z]+\.md|docs\/.*\.md)$/.test(path));

async function read(path: string): Promise<string> {
  return Bun.file(join(repository, path)).text();
}

describe("plain English", () => {
  test("in comments and string literals", async () => {
    const found: string[] = [];
    for (const path of sources) {
      for (const { line, words, write } of offencesInSource(path, await read(path))) {
        found.push(`${path}:${line}: "${words}": write ${write}`);
      }
    }
    expect(found).toEqual([]);
  });

  test("in comments that are sentences", async () => {
    const found: string[] = [];
    for (const path of sources) {
      for (const { line, words, write } of sentenceOffences(path, await read(path))) {
        found.push(`${path}:${line}: "${words}": write ${write}`);
      }
    }
    expect(found).toEqual([]);
  });

  test("in documents", async () => {
    const found: string[] = [];
    for (const path of documents) {
      // The glossary names the words to avoid.
      const text = (await read(path)).replaceAll(
        /^\|.*$/gm,
        path === "CONTRIBUTING.md" ? "" : "$&",
      );
      for (const { words, write } of offencesInDocument(text)) {
        found.push(`${path}: "${words}": write ${write}`);
      }
    }
    expect(found).toEqual([]);
  });

  test.each([
    ["// It is there no more, and nobody knows", 2],
    ['const text = "What a handler gets. Of these, three.";', 2],
    ["/** Runs\n * as well. */", 1],
    ["// as well as the others, behind a proxy; no more than 3", 0],
    ['const question = "What is this? By what?";', 0],
  ])("is checked: %s", (source, count) => {
    expect(offencesInSource("some.ts", source)).toHaveLength(count);
  });

  test.each([
    ["// Of a workspace that no longer exists.", 1],
    ["// Only the first of all the rows.", 1],
    ["/** Milliseconds since its start. */", 1],
    ["// In a pipe: as the server sent it.", 1],
    ['const text = "This field holds a date, which tells its age.";', 2],
    ["// In a pipe the command prints JSON.", 0],
    ["// Only the owner of a file may remove it.", 0],
    ["// The worker holds a lock, and tells old rows from new ones.", 0],
    ["/** The digest of the stored bytes. */", 0],
    ["/// <reference types='bun' />", 0],
  ])("is checked as sentences: %s", (source, count) => {
    expect(sentenceOffences("some.ts", source)).toHaveLength(count);
  });

  test("every avoided wording has a replacement", () => {
    expect(avoidedWordings.filter(({ write }) => write === "")).toEqual([]);
  });
});

test(`comment lines have at most ${maximumColumns} columns`, async () => {
  const found: string[] = [];
  for (const path of sources) {
    for (const [index, line] of (await read(path)).split("\n").entries()) {
      if (line.length > maximumColumns && /^\s*(?:\/\/|\/?\*)/.test(line)) {
        found.push(`${path}:${index + 1}`);
      }
    }
  }
  expect(found).toEqual([]);
});
