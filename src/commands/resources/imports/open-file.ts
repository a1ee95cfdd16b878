import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inputError, formatError } from "#cli/errors.ts";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import type { CommandContext } from "../../kit/context.ts";
import { findFile, type NamedFile } from "../../kit/input/files.ts";
import { csvSource } from "./csv/csv-source.ts";
import {
  inspectFile,
  type FileFacts,
  type Source,
  type JsonRow,
  type JsonSource,
  type ReadMeter,
} from "./source.ts";
import { xlsxSource } from "./xlsx/xlsx-source.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { maximumJsonBytes, parseJson, tooDeep } from "../../kit/input/data.ts";
import { JsonItemDepthError, JsonItems, JsonItemsError } from "../batch/json-items.ts";
import { listedRecord } from "../records/listed.ts";

export interface OpenedFile {
  readonly name: string;
  readonly facts: FileFacts;
  readonly source: Source;
  readonly isStdin: boolean;
  /** Removes the copy of stdin. */
  close(): Promise<void>;
}

interface FileOptions {
  readonly sheet: string | undefined;
  readonly separator: string | undefined;
  readonly charset: string | undefined;
}

/** Opens a file by its content, or stdin for `-`. Throws E304 or E305. */
export async function openFile(
  context: CommandContext,
  path: string,
  options: FileOptions,
): Promise<OpenedFile> {
  const copy = path === "-" ? await stdinCopy(context) : undefined;
  const close = async (): Promise<void> => {
    if (copy !== undefined) await rm(copy.folder, { recursive: true, force: true });
  };
  try {
    const file = await findFile(context, copy?.path ?? path);
    const name = copy === undefined ? basename(path) : "stdin";
    if (!file.isRegular) throw inputError(`${path} is not a file`);
    const facts = await inspectFile(file, context.signal);
    if (facts.size === 0) throw inputError(`${name} is empty`);
    const source = await sourceOf(file, facts, { ...options, name }, context.signal);
    return { name, facts, source, isStdin: copy !== undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rows are read twice, for the digest and to be sent, and a pipe can be read once. */
async function stdinCopy({ environment, signal }: CommandContext) {
  if (environment.stdin.isTerminal) throw inputError("- reads stdin, but stdin is a terminal");
  const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
  const path = join(folder, "rows");
  await saveAtomically(path, chunksUntil(environment.stdin.stream(), signal));
  return { folder, path };
}

async function sourceOf(
  file: NamedFile,
  facts: FileFacts,
  options: FileOptions & { readonly name: string },
  signal: AbortSignal,
): Promise<Source> {
  const { name, sheet, separator, charset } = options;
  const { start } = facts;
  const starts = (...bytes: number[]): boolean => bytes.every((byte, at) => start[at] === byte);
  if (starts(0x50, 0x4b, 3, 4)) return xlsxSource(file.content, { name, sheet });
  if (sheet !== undefined) throw inputError(`${name} has no sheets: it is not an XLSX`);
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) {
    throw inputError(`${name} is an old Excel file`, "Save it as XLSX or CSV");
  }
  const text = new TextDecoder().decode(start.subarray(0, 1024));
  const isTable = separator !== undefined || /\.(?:csv|tsv|txt)$/i.test(name);
  const isJson = /\.(?:nd)?jsonl?$/i.test(name) || (!isTable && /^[\s\ufeff]*[[{]/.test(text));
  if (isJson) return jsonSource(file, facts, name, signal);
  return csvSource(file, facts, { name, separator: separatorOf(separator), charset }, signal);
}

function separatorOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given === "tab" || given === String.raw`\t`) return "\t";
  if (given.length === 1 && !/["\r\n]/.test(given)) return given;
  throw inputError(`--separator ${given} is not one character`, "Give e.g. ; or tab");
}

/** A JSON list, or one object per line (NDJSON). A whole record means its data. Throws E304. */
function jsonSource(
  file: NamedFile,
  facts: FileFacts,
  name: string,
  signal: AbortSignal,
): JsonSource {
  const isList = /^[\s\ufeff]*\[/.test(new TextDecoder().decode(facts.start));
  return {
    kind: "json",
    format: isList ? "JSON" : "NDJSON",
    size: facts.size,
    // A list that is cut has no closing bracket, which fails.
    showsItsEnd: isList || facts.endsWithLine,
    async *rows(meter: ReadMeter) {
      const splitter = new JsonItems(maximumJsonBytes);
      let number = 0;
      const read = (texts: readonly string[]): JsonRow[] =>
        texts.map((text) => {
          number += 1;
          const value = parseJson(text, `${name}, item ${number},`);
          if (isJsonObject(value)) return { number, values: listedRecord(value)?.data ?? value };
          throw formatError(`${name}, item ${number}, is not an object`, "JSON objects");
        });
      try {
        const decoder = new TextDecoder("utf-8", { fatal: true });
        for await (const chunk of chunksUntil(file.stream(), signal)) {
          meter.bytes += chunk.byteLength;
          yield read(splitter.push(decoder.decode(chunk, { stream: true })));
        }
        yield read([...splitter.push(decoder.decode()), ...splitter.end()]);
      } catch (error) {
        if (error instanceof JsonItemDepthError) throw tooDeep(`${name}, item ${error.index + 1},`);
        if (error instanceof JsonItemsError) {
          throw formatError(`${name} is not JSON: ${error.message}`, "a JSON list, NDJSON");
        }
        if (error instanceof TypeError) throw formatError(`${name} is not UTF-8 text`, "UTF-8");
        throw error;
      }
    },
  };
}
