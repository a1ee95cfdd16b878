import { expect } from "vitest";
import { isTypeScript, layerOf, listFiles, readSource, type SourceFile } from "./source.ts";

/** Where a rule does not hold, and why. An entry that is no longer needed fails the test. */
const exceptions: readonly { rule: string; path: string; reason: string }[] = [
  {
    rule: "imports inside a layer are relative",
    path: "src/lib/version.ts",
    reason: "package.json is the only place of the version",
  },
  {
    rule: "imports inside a layer are relative",
    path: "src/commands/kit/site/documentation.ts",
    reason: "the guides of docs/ are pages of the reference",
  },
  {
    rule: "no barrels",
    path: "src/commands/docs/index.ts",
    reason: "the user types `svc docs index`",
  },
  {
    rule: "no barrels",
    path: "src/mcp/sdk.ts",
    reason: "the build puts one compressed module in its place",
  },
  {
    rule: "two layers or more use each file of src/lib",
    path: "src/lib/compressed-module.ts",
    reason: "the build puts it into the executable, for modules of any layer",
  },
  ...["script", "web-app"].map((name) => ({
    rule: "only src/main.ts touches process",
    path: `src/local/templates/${name}.ts`,
    reason: "its strings are the programs of a new project",
  })),
];

/** Every file of the checkout, its TypeScript sources, and those of src and ui. */
export const paths = await listFiles();
export const sources = await Promise.all(paths.filter(isTypeScript).map(readSource));
export const product = sources.filter(({ path }) => layerOf(path) !== undefined);

/** Fails with every offence, except where the table above allows it. */
export function holds(rule: string, offences: readonly { path: string; what: string }[]): void {
  const allowed = exceptions.filter((exception) => exception.rule === rule);
  const excused = (path: string): boolean => allowed.some((exception) => exception.path === path);
  expect(
    offences.filter(({ path }) => !excused(path)).map(({ path, what }) => `${path}: ${what}`),
    rule,
  ).toEqual([]);
  const stale = allowed.filter(({ path }) => !offences.some((offence) => offence.path === path));
  expect(stale, `exceptions that "${rule}" no longer needs`).toEqual([]);
}

/** A source without its comments, whose examples may do what the code itself may not. */
export function codeOf(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*$/gm, "");
}

/** Each source for which `find` has something to say, with what it says. */
export function offences(
  among: readonly SourceFile[],
  find: (source: SourceFile) => readonly string[],
): { path: string; what: string }[] {
  return among.flatMap((source) => find(source).map((what) => ({ path: source.path, what })));
}
