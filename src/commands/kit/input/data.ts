import { formatError, inputError, missingField } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { lossIn } from "#lib/json/loss.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json/scan.ts";
import { pointer } from "#lib/json/pointer.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { CommandContext } from "../context.ts";
import { findFile } from "./files.ts";

/** Largest JSON that is held in memory, in bytes. */
export const maximumJsonBytes = 64 * 1024 * 1024;

/** The text of a flag: the value itself, stdin or a file. */
export interface TextSource {
  readonly name: string;
  /** True if it can be read more than once. */
  readonly isReplayable: boolean;
  /** The size in bytes, if it is known in advance. */
  readonly size: number | undefined;
  /** Streams the text; throws E304 if it is not UTF-8. */
  chunks(): AsyncIterable<string>;
}

/** A chunk that was read ahead, then the rest; closes the rest when its reader stops. */
export async function* withFirst<Chunk>(
  first: Chunk,
  rest: AsyncIterator<Chunk>,
): AsyncGenerator<Chunk, void, undefined> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}

async function* decoded(
  stream: ReadableStream<Uint8Array>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunksUntil(stream, signal)) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw formatError(`${name} is not UTF-8 text`, "UTF-8");
    throw error;
  }
}

/** The source that a value names: `-` (stdin), `@path` or the value itself. Reads nothing yet. */
export async function textSource(
  context: CommandContext,
  value: string,
  flag: string,
): Promise<TextSource> {
  if (value === "-") return stdinSource(context, flag);
  if (value.startsWith("@")) return fileSource(context, value.slice(1), flag);
  // The runtime replaces invalid UTF-8 in a program's words with U+FFFD.
  if (value.includes("\ufffd")) {
    const hint = "The value contains U+FFFD: if that is intended, use `-` or `@file`";
    throw formatError(`${flag} is not UTF-8 text`, "UTF-8", hint);
  }
  return {
    name: flag,
    isReplayable: true,
    size: Buffer.byteLength(value),
    async *chunks() {
      yield value;
    },
  };
}

function stdinSource({ environment, signal }: CommandContext, flag: string): TextSource {
  requirePipe(environment, flag);
  return {
    name: "stdin",
    isReplayable: false,
    size: undefined,
    chunks: () => decoded(environment.stdin.stream(), "stdin", signal),
  };
}

/** The bytes of stdin, at most 64 MiB, for a flag with the value `-`. */
export async function readStdin(
  { environment, signal }: CommandContext,
  flag: string,
): Promise<Uint8Array> {
  requirePipe(environment, flag);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksUntil(environment.stdin.stream(), signal)) {
    size += chunk.byteLength;
    requireRoom("stdin", size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requirePipe({ stdin }: CommandContext["environment"], flag: string): void {
  if (stdin.isTerminal) throw inputError(`${flag} - reads stdin, but stdin is a terminal`);
}

function requireRoom(name: string, size: number): void {
  if (size <= maximumJsonBytes) return;
  throw inputError(`${name} is larger than ${maximumJsonBytes / 1024 / 1024} MiB`);
}

/** A file by its path, by `@path`, or stdin for `-`. Throws E305 if it does not exist. */
async function fileSource(
  context: CommandContext,
  path: string,
  flag: string,
): Promise<TextSource> {
  if (path === "-") return stdinSource(context, flag);
  const name = filePath(path);
  const { content, isRegular, stream } = await findFile(context, name);
  return {
    name,
    isReplayable: isRegular,
    size: isRegular ? content.size : undefined,
    chunks: () => decoded(stream(), name, context.signal),
  };
}

/** The path in `--file`, which may begin with `@` as in other flags. */
export function filePath(value: string): string {
  return value.startsWith("@") ? value.slice(1) : value;
}

async function wholeText(source: TextSource): Promise<string> {
  let text = "";
  requireRoom(source.name, source.size ?? 0);
  for await (const chunk of source.chunks()) {
    requireRoom(source.name, text.length + chunk.length);
    text += chunk;
  }
  return text;
}

/** The text of a value: `-` (stdin), `@path` or the value itself; at most 64 MiB. */
export async function readText(
  context: CommandContext,
  value: string,
  flag: string,
): Promise<string> {
  return wholeText(await textSource(context, value, flag));
}

export interface DataOptions {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
}

/** The source in `--data` or `--file`, which exclude each other. Throws E303 without either. */
export async function dataSource(
  context: CommandContext,
  { data, file }: DataOptions,
): Promise<TextSource> {
  if (data !== undefined) return textSource(context, data, "--data");
  if (file !== undefined) return fileSource(context, file, "--file");
  throw missingField("--data or --file");
}

/** Parses JSON. Throws E304 (syntax), E305 (depth), or E302 for a value that parsing changes. */
export function parseJson(text: string, name: string): unknown {
  const value = requireJson(text, name);
  const loss = lossIn(text, value);
  if (loss === undefined) return value;
  throw catalogError("E302", { details: `${name} ${pointer(...loss.path)} ${loss.detail}` });
}

export function tooDeep(name: string): CatalogError {
  return inputError(`${name} ${nestsTooDeep}`);
}

/** Parses JSON as {@link parseJson} does, but accepts values that parsing changes. */
export function requireJson(text: string, name: string): unknown {
  if (isTooDeep(text)) throw tooDeep(name);
  // A closed stdin, or the output of a command that failed.
  if (!/\S/.test(text)) throw formatError(`${name} is empty`, "JSON");
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
    throw formatError(`${name} is not JSON: ${reason}`, "JSON");
  }
}

function requireObject(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw formatError(`${name} is not a JSON object`, "JSON");
}

/** The JSON object of `--data` or `--file`; see {@link dataSource}. */
export async function readJsonObject(
  context: CommandContext,
  options: DataOptions,
): Promise<JsonObject> {
  const source = await dataSource(context, options);
  return requireObject(parseJson(await wholeText(source), source.name), "the data");
}

/** The JSON object of a flag such as `--where`, checked before any network call. */
export async function readObject(
  context: CommandContext,
  value: string | undefined,
  flag: string,
): Promise<JsonObject | undefined> {
  if (value === undefined) return undefined;
  return requireObject(parseJson(await readText(context, value, flag), flag), flag);
}
