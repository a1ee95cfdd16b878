import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inputError } from "#cli/errors.ts";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import type { CommandContext } from "../../kit/context.ts";
import { findFile, type NamedFile } from "../../kit/input/files.ts";
import { csvSource } from "./csv/csv-source.ts";
import { jsonSource } from "./json-source.ts";
import { inspectFile, type FileFacts, type Source } from "./source.ts";
import { xlsxSource } from "./xlsx/xlsx-source.ts";

export interface OpenedFile {
  readonly name: string;
  readonly facts: FileFacts;
  readonly source: Source;
  readonly isStdin: boolean;
  /** Removes the copy of stdin. */
  close(): Promise<void>;
}

/** The user's files, stdin and the end of the work. */
export type FilePlace = Pick<CommandContext, "environment" | "resolvePath" | "signal">;

interface FileOptions {
  readonly sheet: string | undefined;
  readonly separator: string | undefined;
  readonly charset: string | undefined;
}

/** Opens a file by its content, or stdin for `-`. Throws E304 or E305. */
export async function openFile(
  context: FilePlace,
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
async function stdinCopy({ environment, signal }: FilePlace) {
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
