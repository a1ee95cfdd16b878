import { expect } from "vitest";
import { exceptions } from "./exceptions.ts";
import { isTypeScript, layerOf, listFiles, readSource, type SourceFile } from "./source.ts";

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
