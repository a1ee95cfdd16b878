import { open } from "node:fs/promises";
import { usageError } from "#cli/errors.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "../kit/context.ts";

/** Upper bound of a text's length: a wrong file is not read into memory. */
const longestText = 4096;

export interface SecretTextPlaces {
  /** The flag, e.g. `--smtp-url`; the file's flag has `-file` at its end. */
  readonly flag: string;
  readonly given: string | undefined;
  readonly file: string | undefined;
  /** Name of the environment variable. */
  readonly variable: string;
}

export interface SecretText {
  /** The flag or variable that gave it, for messages. */
  readonly source: string;
  readonly text: string;
}

/**
 * A text that may hold a password: from the flag's file, the flag, or the environment, in this
 * order. A file and the environment keep it out of the list of processes.
 */
export async function secretTextOf(
  context: CommandContext,
  { flag, given, file, variable }: SecretTextPlaces,
): Promise<SecretText | undefined> {
  const [source, text] =
    file !== undefined
      ? [`${flag}-file`, await firstLine(`${flag}-file`, context.resolvePath(file))]
      : given !== undefined
        ? [flag, given]
        : [variable, context.environment.variables[variable]];
  return text === undefined || text === "" ? undefined : { source, text };
}

async function firstLine(flag: string, path: string): Promise<string> {
  const line = await firstLineIn(flag, path);
  if (line === "") throw usageError(`${flag}: the first line of ${path} is empty`);
  return line;
}

/** The first line of a file, of at most 4 KiB; a device without an end is read no further. */
export async function firstLineIn(flag: string, path: string): Promise<string> {
  try {
    const handle = await open(path, "r");
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(longestText), 0, longestText);
      return (buffer.toString("utf8", 0, bytesRead).split("\n")[0] ?? "").trim();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw usageError(`${flag}: cannot read ${path}: ${systemErrorWords(error)}`);
  }
}
