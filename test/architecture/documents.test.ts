import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "./source.ts";

async function read(path: string): Promise<string> {
  return Bun.file(join(repository, path)).text();
}

/** The cells of each row of the table below a heading, without its first two lines. */
function tableBelow(document: string, heading: string): string[][] {
  const [, section = ""] = document.split(`\n${heading}\n`);
  const [table = ""] = section.match(/^\|.*\n(?:\|.*\n)+/m) ?? [];
  const rows = table.trim().split("\n").slice(2);
  return rows
    .map((row) => row.split("|").map((cell) => cell.trim()))
    .map((row) => row.slice(1, -1));
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

/** Whether a file has this code without `svc` or a method, where `…` stands for any text. */
function hasCode(source: string, code: string): boolean {
  const parts = code.replace(/^(?:svc|[A-Z]+) /, "").split("…");
  return parts.every((part) => source.includes(part.trim()));
}

describe("docs/architecture.md", () => {
  test("names every domain of the platform with one sentence", async () => {
    const entries = await readdir(join(repository, "src/server/domains"), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const rows = tableBelow(await read("docs/architecture.md"), "## Domains of the platform");
    expect(rows.map(([name = ""]) => name.replaceAll("`", ""))).toEqual(folders.toSorted());
    const unplain = rows.filter(([, sentence = ""]) => !/^[A-Z][^.]{20,}\.$/.test(sentence));
    expect(unplain).toEqual([]);
  });

  test("names files that exist", async () => {
    const text = await read("docs/architecture.md");
    const files = codeIn(text).filter((code) => /^[\w-]+\/[\w./-]+\.tsx?$/.test(code));
    expect(files.length).toBeGreaterThan(10);
    const roots = ["", "src", "src/server", "ui"].map((root) => join(repository, root));
    const isThere = (file: string): boolean => roots.some((root) => existsSync(join(root, file)));
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});

test("the files of CONTRIBUTING's worked example have the names that it gives", async () => {
  const rows = tableBelow(await read("CONTRIBUTING.md"), "## A worked example");
  expect(rows.length).toBeGreaterThan(5);
  const missing: string[] = [];
  for (const [cell = "", change = ""] of rows) {
    const [path = ""] = codeIn(cell);
    const source = existsSync(join(repository, path)) ? await read(path) : undefined;
    if (source === undefined) missing.push(path);
    for (const code of codeIn(change)) {
      if (source !== undefined && !hasCode(source, code)) missing.push(`${path}: ${code}`);
    }
  }
  expect(missing).toEqual([]);
});
