import { catalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import type { CommandContext } from "./context.ts";

/** Largest JSON that a flag, a file or stdin may hold, in bytes. */
const maximumJsonBytes = 64 * 1024 * 1024;

async function readBounded(
  stream: ReadableStream<Uint8Array>,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted();
      size += chunk.byteLength;
      if (size > maximumJsonBytes) {
        throw catalogError("E305", {
          details: `${name} is larger than ${maximumJsonBytes / 1024 / 1024} MiB`,
        });
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) {
      throw catalogError("E304", { details: `${name} is not UTF-8 text`, validFormats: "JSON" });
    }
    throw error;
  }
}

/** The text that `-` (stdin), `@path` or the value itself stands for; at most 64 MiB. */
export async function readText(
  context: CommandContext,
  value: string,
  flag: string,
): Promise<string> {
  const { environment, signal } = context;
  if (value === "-") {
    if (environment.stdin.isTerminal) {
      throw catalogError("E305", { details: `${flag} - reads stdin, but stdin is a terminal` });
    }
    return readBounded(environment.stdin.stream(), "stdin", signal);
  }
  if (!value.startsWith("@")) return value;
  return readFileText(context, value.slice(1));
}

/** The text of a file; at most 64 MiB. Throws E003 where there is no such file. */
export async function readFileText(context: CommandContext, path: string): Promise<string> {
  const file = Bun.file(context.resolvePath(path));
  if (!(await file.exists())) throw catalogError("E003", { file: path });
  return readBounded(file.stream(), path, context.signal);
}

/** Parses JSON; the refusal says where it stops being JSON and never repeats the input. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
    throw catalogError("E304", { details: `${name} is not JSON: ${reason}`, validFormats: "JSON" });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The JSON object of `--data` (value, `-` or `@file`) or `--file` (path). Exactly one of both:
 * E303 when there is none, E305 when both are given.
 */
export async function readJsonObject(
  context: CommandContext,
  options: { readonly data?: string | undefined; readonly file?: string | undefined },
): Promise<JsonObject> {
  const value = await readJson(context, options);
  if (!isObject(value)) {
    throw catalogError("E304", { details: "the data is not a JSON object", validFormats: "JSON" });
  }
  return value;
}

/** As `readJsonObject`, for any JSON value. */
export async function readJson(
  context: CommandContext,
  options: { readonly data?: string | undefined; readonly file?: string | undefined },
): Promise<unknown> {
  const { data, file } = options;
  if (data !== undefined && file !== undefined) {
    throw catalogError("E305", { details: "--data and --file exclude each other" });
  }
  if (data !== undefined) return parseJson(await readText(context, data, "--data"), "--data");
  if (file !== undefined) {
    const text =
      file === "-" ? await readText(context, "-", "--file") : await readFileText(context, file);
    return parseJson(text, "--file");
  }
  throw catalogError("E303", { field: "--data or --file" });
}

/** `--where`: a JSON object as text, checked here so that a slip costs no network call. */
export async function readWhere(
  context: CommandContext,
  value: string | undefined,
): Promise<JsonObject | undefined> {
  if (value === undefined) return undefined;
  const where = parseJson(await readText(context, value, "--where"), "--where");
  if (!isObject(where)) {
    throw catalogError("E304", { details: "--where is not a JSON object", validFormats: "JSON" });
  }
  return where;
}
