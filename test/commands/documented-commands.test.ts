import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { findCommand } from "#cli/input/find.ts";
import { parseInvocation } from "#cli/input/parse.ts";
import { commandTable } from "#commands/registry.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { fillProject } from "#test/support/project-folder.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "./world.ts";

/** The command lines of README.md and of the written pages, as their readers type them. */

const repository = resolve(import.meta.dirname, "../..");
const id = "01900000-0000-7000-8000-000000000001";

/** The words of `svc` in a line of a shell, with values for variables and names in brackets. */
function callsIn(line: string): string[][] {
  const filled = line.replaceAll(/'[^']*'|<[\w ]+>|"?\$\w+"?/g, (part) =>
    part.startsWith("'") ? part : id,
  );
  const words = filled.match(/(?:'[^']*'|"[^"]*"|[^\s'"|;&>()])+|[|;&>()]+/g) ?? [];
  const calls: string[][] = [];
  let call: string[] | undefined;
  let isFirst = true;
  for (const word of words) {
    if (word.startsWith("#")) break;
    if (/^[|;&>()]+$/.test(word)) call = undefined;
    else if (isFirst && word === "svc") calls.push((call = []));
    else call?.push(word.replaceAll(/['"]/g, (mark) => unquoted(word, mark)));
    // A command also follows these: `VARIABLE=value`, `id=$(`, `sudo`.
    isFirst = call === undefined && /^(?:[|;&(]+|\w+=.*|sudo)$/.test(word);
  }
  return calls;
}

/** Quotes inside of others stay: `'{"a":1}'`. */
function unquoted(word: string, mark: string): string {
  return (/['"]/.exec(word)?.[0] ?? mark) === mark ? "" : mark;
}

/** The lines of a block, where those that end in a backslash or inside of a quote are one. */
function linesOf(block: string): string[] {
  const lines: string[] = [];
  for (const line of block.replaceAll("\\\n", " ").split("\n")) {
    const last = lines.at(-1);
    if (last?.split("'").length === 2) lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

function documentedCalls(page: string): string[][] {
  const blocks = Array.from(page.matchAll(/^```sh\n(.*?)^```/gms), ([, code = ""]) => code);
  return blocks.flatMap((block) => linesOf(block).flatMap((line) => callsIn(line)));
}

async function project(): Promise<string> {
  const folder = await temporaryDirectory("project");
  fillProject(folder);
  return folder;
}

async function pages(): Promise<(readonly [name: string, words: string[]])[]> {
  const names = (await readdir(join(repository, "docs"))).filter((name) => name.endsWith(".md"));
  // The examples of commands.md are those of the help, which test/e2e/examples.test.ts runs.
  const written = names.filter((name) => name !== "commands.md").map((name) => `docs/${name}`);
  const found = await Promise.all(
    ["README.md", ...written].map(async (name) => {
      const text = await Bun.file(join(repository, name)).text();
      return documentedCalls(text).map(
        (words) => [`${name}: svc ${words.join(" ")}`, words] as const,
      );
    }),
  );
  return found.flat();
}

const every = await pages();

/** These start a platform, a project or a browser, or change this machine: only their words. */
const acting = /^(?:serve|dev|demo|init|login|update)\b/;
/** The things that a page leaves to its reader, such as files, a profile and an answer. */
const isReaders =
  /no such file|does not exist|names no files|choose a workspace once|No terminal to ask on|…/;
const noRoutes = () => Promise.resolve(new Response("no route", { status: 404 }));

describe("a documented call is one that its command takes:", () => {
  test("there are many", () => expect(every.length).toBeGreaterThan(100));

  test.each(every)("%s", async (_name, words) => {
    const { command, rest } = findCommand(commandTable, words);
    expect(command).toBeDefined();
    if (command !== undefined) parseInvocation(command, rest);
    if (acting.test(words.join(" "))) return;
    const [config, currentDirectory] = [await temporaryDirectory("config"), await project()];
    const workspace = { id, slug: "planning", origin: testBaseUrl };
    await selectWorkspace({ configDirectory: config, profile: "default", workspace });
    const settings = { config, currentDirectory, token: "t-1", fetch: noRoutes };
    const { exitCode, stdout, stderr } = await runCommand(words, settings);
    const said = stdout + stderr;
    if (!isReaders.test(said)) expect([exitCode, said]).not.toEqual([2, said]);
  });
});
