import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCommand } from "#cli/input/find.ts";
import { parseInvocation } from "#cli/input/parse.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "../architecture/source.ts";
import { madeSite } from "./made-site.ts";

/** The words of a call in a shell, up to a pipe, an ampersand, a redirection or a comment. */
function wordsOf(call: string): string[] {
  const words: string[] = [];
  for (const [word] of call.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)) {
    if (/^(?:[|&;>#]|\d>)/.test(word)) break;
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2").replace(/[;)]+$/, ""));
    if (/[;)]$/.test(word)) break;
  }
  return words;
}

/** The fault of a call. With `isWhole` it must also have its arguments and required options. */
function faultOf(call: string, isWhole: boolean): string | undefined {
  const { command, words, rest } = findCommand(commandTable, wordsOf(call).slice(1));
  if (command === undefined) return words.length > 0 && isWhole ? `${call}: no command` : undefined;
  try {
    parseInvocation(command, rest);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return isWhole || reason.includes("unknown option") ? `${call}: ${reason}` : undefined;
  }
}

/** The calls in shell blocks, and those in running text. */
function callsIn(markdown: string): { readonly blocks: string[]; readonly inline: string[] } {
  const shell = [...markdown.matchAll(/```sh\n([^]*?)```/g)].map(([, block = ""]) => block);
  const text = markdown.replaceAll(/```[^]*?```/g, "");
  const lines = shell
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return {
    blocks: lines.flatMap((line) => {
      const [, call] = /(?:^|\$\(|&& |[A-Z_]+='?[^ ]*'? )(svc (?!-)[a-z].*)/.exec(line) ?? [];
      return call === undefined ? [] : [call];
    }),
    inline: [...text.matchAll(/`(svc [a-z][^`]*)`/g)].flatMap(([, call = ""]) =>
      /…|\|/.test(call) ? [] : [call],
    ),
  };
}

test("every call of a command in the guides is right", async () => {
  const folder = join(repository, "docs");
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith(".md") && name !== "commands.md",
  );
  const files = [...names.map((name) => join(folder, name)), join(repository, "README.md")];
  const faults: string[] = [];
  let count = 0;
  for (const file of files) {
    const { blocks, inline } = callsIn(await Bun.file(file).text());
    count += blocks.length + inline.length;
    for (const call of blocks) faults.push(faultOf(call, true) ?? "");
    for (const call of inline) faults.push(faultOf(call, false) ?? "");
  }
  expect(count).toBeGreaterThan(150);
  expect(faults.filter((fault) => fault !== "")).toEqual([]);
});

test("every call on the first page is right", async () => {
  const site = await madeSite();
  const [, steps = ""] =
    /<code>([^]*?)<\/code><\/pre>/.exec(site.get("index.html")?.text ?? "") ?? [];
  const calls = steps.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
  const faults = calls.split("\n").map((call) => faultOf(call, true));
  expect(faults.length).toBeGreaterThan(4);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
