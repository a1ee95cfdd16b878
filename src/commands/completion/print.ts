import { complete, type Candidate } from "#cli/completion/complete.ts";
import { shells } from "#cli/completion/scripts.ts";
import type { CommandTable } from "#cli/command.ts";
import type { Environment } from "#cli/environment.ts";
import { plainLine } from "#lib/text/terminal.ts";
import { within } from "#lib/time/within.ts";
import { kindOf } from "./kinds.ts";
import type { ValueRequest } from "./values.ts";

/** Words that every shell takes as they are; others would need quotes. */
const harmless = /^[\p{L}\p{N}_@%+=:,./#~-]+$/u;
const maximumCandidates = 1_000;
/** Time for the local steps around the request. */
const graceMs = 500;

/**
 * `svc __complete <shell> =<current word> <earlier words…>`: prints the kind of the word, then one
 * candidate per line. It never fails and reports nothing: the user is in the middle of a line.
 */
export async function printCandidates(
  environment: Environment,
  table: CommandTable,
): Promise<number> {
  const [, shell, marked = "=", ...earlier] = environment.argv;
  if (!shells.some((known) => known === shell)) return 2;
  const typed = marked.slice(1);
  const { current, previous, isSplit } = wordsOf(shell === "bash", typed, earlier);
  const { candidates, wanted, prefix } = complete(table, previous, current);
  const typedValue = current.slice(prefix.length);
  // `a,b`: the list before the last comma stays.
  const kind = wanted === undefined ? undefined : kindOf(wanted);
  const kept = kind?.isList === true ? /^.*,/.exec(typedValue)?.[0] : undefined;
  const lead = `${isSplit ? "" : prefix}${kept ?? ""}`;
  const begun = typedValue.slice(kept?.length ?? 0);
  const live =
    kind === undefined || wanted === undefined || "place" in kind
      ? []
      : await valuesOf(environment, table, { kind: kind.of, wanted, previous, begun });
  const lines = [...candidates, ...live]
    .filter(({ value }) => value.startsWith(begun) && isPlain(value))
    .slice(0, maximumCandidates)
    .map(({ value, description }) => `${lead}${value}\t${plainLine(description)}`);
  const place = kind !== undefined && "place" in kind ? kind.place : "words";
  await environment.stdout.write(`${[place, ...lines].join("\n")}\n`).catch(() => undefined);
  return 0;
}

/** An option is one of the program's own words; a value from a platform can't look like one. */
function isPlain(value: string): boolean {
  return harmless.test(value);
}

/** bash splits `--format=json` into three words. */
function wordsOf(
  splits: boolean,
  typed: string,
  earlier: readonly string[],
): { current: string; previous: readonly string[]; isSplit: boolean } {
  const previous: string[] = [];
  const all = [...earlier, typed];
  if (!splits) return { current: typed, previous: earlier, isSplit: false };
  let isSplit = false;
  for (let index = 0; index < all.length; index += 1) {
    const word = all[index] ?? "";
    const last = previous.at(-1);
    isSplit = word === "=" && last?.startsWith("--") === true && index > 0;
    if (!isSplit || last === undefined) {
      previous.push(word);
      continue;
    }
    const value = all[index + 1] ?? "";
    previous[previous.length - 1] = `${last}=${value}`;
    index += 1;
  }
  return { current: previous.pop() ?? "", previous, isSplit };
}

async function valuesOf(
  environment: Environment,
  table: CommandTable,
  request: ValueRequest,
): Promise<readonly Candidate[]> {
  try {
    const { liveValues, waitMs } = await import("./values.ts");
    const values = await within(waitMs + graceMs, liveValues(environment, table, request), []);
    return values.filter(({ value }) => !value.startsWith("-"));
  } catch {
    return [];
  }
}
