import { stat } from "node:fs/promises";
import { catalogError } from "#contract/errors.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { utf8Text } from "#lib/text/utf8.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { envEntries, envText } from "./entries.ts";
import { withVariables, writeEnvFile } from "./lines.ts";
import { projectVariables, type Project, type ProjectVariable } from "../surface.ts";

const maximumBytes = 1024 * 1024;

function isProjectVariable(name: string): name is ProjectVariable {
  return projectVariables.some((known) => known === name);
}

/** The supported keys of an untrusted `.env.local`; nothing is expanded. Throws E006. */
export async function readProjectVariables(path: string): Promise<Project["variables"]> {
  const variables: Partial<Record<ProjectVariable, string>> = {};
  for (const [name, value] of parseEnv(await readEnvText(path))) {
    if (isProjectVariable(name) && value !== "") variables[name] = value;
  }
  return variables;
}

/**
 * `NAME=value` lines, with `export`, comments and quoted values of several lines; the last value of
 * a name counts.
 */
export function parseEnv(text: string): ReadonlyMap<string, string> {
  const entries = envEntries(envText(text.replace(/^\ufeff/, "")));
  return new Map(entries.map(({ name, raw }) => [name, unquoted(raw)]));
}

function unquoted(raw: string): string {
  const plain = /^(?:'([^']*)'|`([^`]*)`)/.exec(raw);
  if (plain !== null) return plain[1] ?? plain[2] ?? "";
  const double = /^"((?:[^"\\]|\\[^])*)"/.exec(raw)?.[1];
  if (double !== undefined) {
    return double.replace(/\\([^])/g, (_whole, character: string) =>
      character === "n" ? "\n" : character,
    );
  }
  return raw.replace(/(?:^|\s)#.*$/, "").trimEnd();
}

/** Characters that end a line, act on a terminal or can't be seen: a platform may send any. */
const unwritable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/**
 * Sets variables in an `.env.local` in one step, or removes those that are undefined; other lines
 * stay as they are, and a missing file is created. Throws E006, also for a value with control
 * characters.
 */
export async function setEnvVariables(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const [name, value = ""] of Object.entries(values)) {
    if (!unwritable.test(value)) continue;
    throw catalogError("E006", { details: `the value of ${name} has control characters` });
  }
  try {
    const isPresent = await stat(path).then(
      () => true,
      () => false,
    );
    const before = isPresent ? await readEnvText(path) : "";
    await writeEnvFile(path, withVariables(before, new Map(Object.entries(values))));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError("E006", { details: `.env.local: ${systemErrorWords(error)}` });
  }
}

/** The text of an `.env.local` of at most 1 MiB. Throws E003 without the file, or E006. */
export async function readEnvText(path: string): Promise<string> {
  try {
    const text = utf8Text(await readRegularFile(path, maximumBytes));
    if (text !== undefined) return text;
    throw catalogError("E006", { details: ".env.local is not UTF-8 text" });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    // It was there a moment ago.
    if (systemErrorCode(error) === "ENOENT") throw catalogError("E003", { file: path });
    if (systemErrorCode(error) === "EFBIG") {
      throw catalogError("E006", { details: ".env.local is larger than 1 MiB" });
    }
    throw catalogError("E006", { details: `.env.local: ${systemErrorWords(error)}` });
  }
}
