import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { streamOf } from "#lib/stream.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "./context.ts";

export interface LocalFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Bun.BunFile;
}

/** A file as the user named it, not opened yet; `isRegular` is false for a pipe or a device. */
export interface NamedFile {
  readonly content: Bun.BunFile;
  readonly isRegular: boolean;
  /** Its bytes, whatever it is. */
  stream(): ReadableStream<Uint8Array>;
}

/** The file at a path. Throws E305 where there is none, or a folder. */
export async function findFile(context: CommandContext, path: string): Promise<NamedFile> {
  const content = Bun.file(context.resolvePath(path));
  const facts = await content.stat().catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") throw refused(`${path} does not exist`);
    throw refused(`${path} can't be read: ${systemErrorWords(error)}`);
  });
  if (path === "") throw refused("no file is named: the path is empty");
  if (facts.isDirectory()) throw refused(`${path} is not a file`);
  // The runtime's own stream polls what is no regular file, which devices as /dev/null refuse.
  const stream = facts.isCharacterDevice() ? () => deviceStream(content) : () => content.stream();
  return { content, isRegular: facts.isFile(), stream };
}

function deviceStream({ name = "" }: Bun.BunFile): ReadableStream<Uint8Array> {
  return streamOf(createReadStream(name));
}

/** The named file, whose size is known (E305); its bytes are read only when they are sent. */
export async function localFile(context: CommandContext, path: string): Promise<LocalFile> {
  const { content, isRegular } = await findFile(context, path);
  if (!isRegular) throw refused(`${path} is not a file`);
  return { filename: basename(path), contentType: mediaTypeOf(path), content };
}

const anyBytes = "application/octet-stream";

/** The media type of the first of these names whose ending tells one. */
export function mediaTypeOf(...names: readonly string[]): string {
  const types = names.map((name) => Bun.file(name).type);
  return types.find((type) => type !== "" && type !== anyBytes) ?? anyBytes;
}

/** The place that `--output` names, of what is written as a whole or not at all: `-` is no stdout. */
export function wholeOutputPath(context: CommandContext, path: string): string {
  if (path !== "-") return context.resolvePath(path);
  const hint = "It is written as a whole, and not to stdout; `./-` names a file of that name";
  throw catalogError("E305", { details: "--output - is no path" }, { hint });
}

function refused(details: string): CatalogError {
  return catalogError("E305", { details });
}

/** Draws how much of a file went or came, on a terminal's status line; a percentage at most once. */
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
