import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { chunksUntil } from "#lib/stream.ts";
import { lossIn } from "#lib/json-loss.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json-depth.ts";
import { pointer } from "#lib/json-pointer.ts";
import { isJsonObject } from "#lib/json-value.ts";
import type { CommandContext } from "./context.ts";
import { findFile } from "./local-file.ts";

/** Largest JSON that is held as a whole, whether from a flag, a file or stdin, in bytes. */
export const maximumJsonBytes = 64 * 1024 * 1024;

/** Text that a flag stands for: the value itself, stdin or a file. */
export interface TextSource {
  /** What messages call it. */
  readonly name: string;
  /** Whether it can be read again from its beginning. */
  readonly isReplayable: boolean;
  /** In bytes, where it is known beforehand. */
  readonly size: number | undefined;
  /** The text as it comes; E304 where it is no UTF-8. */
  chunks(): AsyncIterable<string>;
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
    if (error instanceof TypeError) {
      throw catalogError("E304", { details: `${name} is not UTF-8 text`, validFormats: "UTF-8" });
    }
    throw error;
  }
}

/** What `-` (stdin), `@path` or the value itself stands for; nothing is read yet. */
export async function textSource(
  context: CommandContext,
  value: string,
  flag: string,
): Promise<TextSource> {
  if (value === "-") return stdinSource(context, flag);
  if (value.startsWith("@")) return fileSource(context, value.slice(1), flag);
  // What is no UTF-8 among a program's words has become this sign, and would be stored as it.
  if (value.includes("\ufffd")) {
    const hint = "Whether U+FFFD was meant is not known here: give it by `-` or `@file`";
    const details = `${flag} is not UTF-8 text`;
    throw catalogError("E304", { details, validFormats: "UTF-8" }, { hint });
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

/** The bytes of stdin, of at most 64 MiB, for a flag that was given `-`. */
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
  if (!stdin.isTerminal) return;
  throw catalogError("E305", { details: `${flag} - reads stdin, but stdin is a terminal` });
}

function requireRoom(name: string, size: number): void {
  if (size <= maximumJsonBytes) return;
  throw catalogError("E305", {
    details: `${name} is larger than ${maximumJsonBytes / 1024 / 1024} MiB`,
  });
}

/** A file, by its path, `@path` or `-` for stdin. Throws E305 where there is no such file. */
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

/** The path that `--file` names: as elsewhere, it may begin with `@`. */
export function filePath(value: string): string {
  return value.startsWith("@") ? value.slice(1) : value;
}

/** The whole text of a source; at most 64 MiB, and a larger file is not even read. */
async function wholeText(source: TextSource): Promise<string> {
  let text = "";
  requireRoom(source.name, source.size ?? 0);
  for await (const chunk of source.chunks()) {
    requireRoom(source.name, text.length + chunk.length);
    text += chunk;
  }
  return text;
}

/** The text that `-` (stdin), `@path` or the value itself stands for; at most 64 MiB. */
export async function readText(
  context: CommandContext,
  value: string,
  flag: string,
): Promise<string> {
  return wholeText(await textSource(context, value, flag));
}

/** The options that give a command its data. */
export interface DataOptions {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
}

/**
 * What `--data` (value, `-` or `@file`) or `--file` (path, `@path` or `-`) stands for; the options
 * exclude each other. E303, wrong usage, when there is neither.
 */
export async function dataSource(
  context: CommandContext,
  { data, file }: DataOptions,
): Promise<TextSource> {
  if (data !== undefined) return textSource(context, data, "--data");
  if (file !== undefined) return fileSource(context, file, "--file");
  throw catalogError("E303", { field: "--data or --file" });
}

/**
 * Refuses what is no JSON, for text that is sent as it is. E304 says where it stops being JSON, E305
 * that it nests too deep; neither repeats the input.
 */
export function requireJson(text: string, name: string): void {
  readJson(text, name);
}

/** Parses JSON; refuses also, with E302 and its place, what its value would not keep. */
export function parseJson(text: string, name: string): unknown {
  const value = readJson(text, name);
  const loss = lossIn(text, value);
  if (loss === undefined) return value;
  throw catalogError("E302", { details: `${name} ${pointer(...loss.path)} ${loss.detail}` });
}

/** E305 for JSON that is deeper than anything that is read. */
export function tooDeep(name: string): CatalogError {
  return catalogError("E305", { details: `${name} ${nestsTooDeep}` });
}

function readJson(text: string, name: string): unknown {
  if (isTooDeep(text)) throw tooDeep(name);
  // A closed stdin, or the output of a command that failed.
  if (!/\S/.test(text)) {
    throw catalogError("E304", { details: `${name} is empty`, validFormats: "JSON" });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
    throw catalogError("E304", { details: `${name} is not JSON: ${reason}`, validFormats: "JSON" });
  }
}

/** The JSON object of `--data` or `--file`; see {@link dataSource}. */
export async function readJsonObject(
  context: CommandContext,
  options: DataOptions,
): Promise<JsonObject> {
  const source = await dataSource(context, options);
  const value = parseJson(await wholeText(source), source.name);
  if (!isJsonObject(value)) {
    throw catalogError("E304", { details: "the data is not a JSON object", validFormats: "JSON" });
  }
  return value;
}

/** `--where`: a JSON object as text, checked here so that a slip costs no network call. */
export async function readWhere(
  context: CommandContext,
  value: string | undefined,
): Promise<JsonObject | undefined> {
  if (value === undefined) return undefined;
  const where = parseJson(await readText(context, value, "--where"), "--where");
  if (!isJsonObject(where)) {
    throw catalogError("E304", { details: "--where is not a JSON object", validFormats: "JSON" });
  }
  return where;
}
