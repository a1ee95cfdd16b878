import { lstat, readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { inputError } from "#cli/errors.ts";
import type { JournalFile } from "#local/configuration/upload-journal.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "../../kit/context.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const validParts =
  /((?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+)|[\x80-\xff]/g;

/** A file's name from its bytes; each byte that is not UTF-8 is shown as `\xDF`. */
function fileNameOf(bytes: Uint8Array): { readonly name: string; readonly isUtf8: boolean } {
  try {
    return { name: utf8.decode(bytes), isUtf8: true };
  } catch {
    const name = Buffer.from(bytes)
      .toString("latin1")
      .replace(validParts, (part, valid: string | undefined) =>
        valid === undefined
          ? `\\x${part.charCodeAt(0).toString(16).toUpperCase()}`
          : Buffer.from(valid, "latin1").toString(),
      );
    return { name, isUtf8: false };
  }
}

/** Maximum number of files per run. */
const filesAtMost = 10_000;
const globCharacters = /[*?[\]{}]/;

/** A regular file to upload. */
export interface FoundFile extends JournalFile {
  /** The path as the user knows it: relative to the current folder where it is inside it. */
  readonly shown: string;
  readonly filename: string;
  /** The reason why the file can't be sent; it completes the path. */
  readonly unreadable?: string | undefined;
}

/** Returns whether the words name exactly one file, and no folder or glob. */
export async function isOneFile(
  context: CommandContext,
  paths: readonly string[],
): Promise<boolean> {
  const [path = ""] = paths;
  if (paths.length !== 1) return false;
  const facts = await factsOf(context.resolvePath(path));
  // An empty or unknown path has the clearer refusal of a single file.
  if (facts === undefined) return path === "" || !globCharacters.test(path);
  return !facts.isDirectory();
}

/**
 * The files that paths, folders and globs name, each once. Files of folders and globs come in the
 * order of their names; hidden ones and links are left out. A file or folder below a named path
 * that can't be read is found with its reason. Throws E305 for a path without files.
 */
export async function findFiles(
  context: CommandContext,
  paths: readonly string[],
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) {
    let count = 0;
    for await (const file of filesOf(context, path)) {
      count += 1;
      if (!found.has(file.path)) found.set(file.path, file);
      if (found.size > filesAtMost) {
        throw inputError(
          `the paths name more than ${filesAtMost.toLocaleString("en")} files`,
          "Upload them in several runs, e.g. one for each folder",
        );
      }
    }
    if (count === 0) throw inputError(`${path} names no files`);
  }
  return [...found.values()];
}

async function* filesOf(
  context: CommandContext,
  path: string,
): AsyncGenerator<FoundFile, void, void> {
  const whole = context.resolvePath(path);
  const facts = path === "" ? undefined : await factsOf(whole);
  if (facts?.isDirectory() === true) return yield* filesBelow(context, whole);
  if (facts !== undefined) {
    if (!facts.isFile()) throw inputError(`${path} is not a file`);
    yield foundFile(context, whole, facts);
    return;
  }
  if (path === "") throw inputError("the path of the file is empty");
  if (!globCharacters.test(path)) throw inputError(`${path} does not exist`);
  const matches: string[] = [];
  const glob = new Bun.Glob(path);
  const cwd = context.environment.currentDirectory;
  for await (const match of glob.scan({ cwd, absolute: true, onlyFiles: true })) {
    context.signal.throwIfAborted();
    matches.push(match);
    if (matches.length > filesAtMost) break;
  }
  for (const match of matches.toSorted()) {
    const matched = await lstat(match).catch((error: unknown) => {
      // A glob reports names without the bytes that are not UTF-8.
      return match.includes("\ufffd") ? notUtf8 : `can't be read: ${systemErrorWords(error)}`;
    });
    if (typeof matched === "string") yield unreadableFile(context, match, matched);
    else if (matched.isFile()) yield foundFile(context, match, matched);
  }
}

async function* filesBelow(
  context: CommandContext,
  folder: string,
  isNamed = true,
): AsyncGenerator<FoundFile, void, void> {
  let names: Uint8Array[];
  try {
    names = await readdir(folder, { encoding: "buffer" });
  } catch (error) {
    const words = systemErrorWords(error);
    if (isNamed) throw inputError(`${folder} can't be read: ${words}`);
    yield unreadableFile(context, folder, `can't be read: ${words}`);
    return;
  }
  const entries = names.map((bytes) => ({ bytes, ...fileNameOf(bytes) }));
  for (const { bytes, name, isUtf8 } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    context.signal.throwIfAborted();
    if (name.startsWith(".")) continue;
    const path = join(folder, name);
    try {
      const facts = await lstat(isUtf8 ? path : bytesOf(folder, bytes));
      if (!facts.isDirectory() && !facts.isFile()) continue;
      if (!isUtf8) yield unreadableFile(context, path, notUtf8);
      else if (facts.isDirectory()) yield* filesBelow(context, path, false);
      else yield foundFile(context, path, facts);
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      yield unreadableFile(context, path, `can't be read: ${systemErrorWords(error)}`);
    }
  }
}

const notUtf8 = "has a name that is not UTF-8: rename it to upload it";

function bytesOf(folder: string, name: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(join(folder, sep)), name]);
}

async function factsOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function foundFile(
  { environment }: CommandContext,
  path: string,
  facts: { readonly size: number | bigint; readonly mtimeMs: number | bigint },
): FoundFile {
  const inside = relative(environment.currentDirectory, path);
  const shown = inside.startsWith("..") ? path : inside.split(sep).join("/");
  const [size, modifiedMs] = [Number(facts.size), Number(facts.mtimeMs)];
  return { path, shown, filename: basename(path), size, modifiedMs };
}

function unreadableFile(context: CommandContext, path: string, unreadable: string): FoundFile {
  return { ...foundFile(context, path, { size: 0, mtimeMs: 0 }), unreadable };
}
