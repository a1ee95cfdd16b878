import { basename } from "node:path";
import { inputError } from "#cli/errors.ts";
import { streamOf } from "#lib/network/stream.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "../context.ts";

export interface LocalFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Bun.BunFile;
}

/** A file that is not opened yet; `isRegular` is false for a pipe or a device. */
export interface NamedFile {
  readonly content: Bun.BunFile;
  readonly isRegular: boolean;
  stream(): ReadableStream<Uint8Array>;
}

/** The file at a path. Throws E305 if it does not exist or is a folder. */
export async function findFile(
  context: Pick<CommandContext, "resolvePath">,
  path: string,
): Promise<NamedFile> {
  const content = Bun.file(context.resolvePath(path));
  const facts = await content.stat().catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") throw inputError(`${path} does not exist`);
    throw inputError(`${path} can't be read: ${systemErrorWords(error)}`);
  });
  if (path === "") throw inputError("the path of the file is empty");
  if (facts.isDirectory()) throw inputError(`${path} is not a file`);
  // The runtime's stream polls files that are not regular, which fails for /dev/null.
  const stream = facts.isCharacterDevice()
    ? () => streamOf(deviceBytes(content.name ?? ""))
    : () => content.stream();
  return { content, isRegular: facts.isFile(), stream };
}

async function* deviceBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  // Takes 1 ms to load, and few calls read a device.
  const { createReadStream } = await import("node:fs");
  yield* createReadStream(path);
}

/** A regular file (E305 otherwise), whose size is known. Its bytes are read when they are sent. */
export async function localFile(
  context: Pick<CommandContext, "resolvePath">,
  path: string,
): Promise<LocalFile> {
  const { content, isRegular } = await findFile(context, path);
  if (!isRegular) throw inputError(`${path} is not a file`);
  return { filename: basename(path), contentType: mediaTypeOf(path), content };
}

const anyBytes = "application/octet-stream";

/** The media type of the first name with a known extension, or `application/octet-stream`. */
export function mediaTypeOf(...names: readonly string[]): string {
  const types = names.map((name) => Bun.file(name).type);
  return types.find((type) => type !== "" && type !== anyBytes) ?? anyBytes;
}

/** The path in `--output` of a file that is written whole or not at all. Throws E305 for `-`. */
export function wholeOutputPath(context: CommandContext, path: string): string {
  if (path !== "-") return context.resolvePath(path);
  const hint = "The output can't go to stdout; `./-` names a file called `-`";
  throw inputError("--output - is not a path", hint);
}

export function fileProgress(
  { output }: CommandContext,
  words: string,
): (doneBytes: number, totalBytes: number | undefined) => void {
  let shown = "";
  return (doneBytes, totalBytes) => {
    const text =
      totalBytes === undefined
        ? `${Math.floor(doneBytes / 1024 / 1024)} MiB`
        : `${totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100)} %`;
    if (text === shown) return;
    shown = text;
    void output.progress(`${words} ${text}`);
  };
}
