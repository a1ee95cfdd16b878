import { readFileSync } from "node:fs";
import * as z from "zod";
import { isStorable } from "../../../kit/storable-text.ts";
import type { ChildLine } from "./child-lines.ts";

/** The first argument that lets the child run a program instead of reading a document. */
export const mappingWord = "--mapping";

const outputCharactersAtMost = 1024 * 1024;
const memoryBytesAtMost = 64 * 1024 * 1024;
const pageBytes = 64 * 1024;

const request = z.object({ program: z.string(), input: z.unknown() });

/** Runs the jq program of a file over its input, and writes the array of its values as a page. */
export async function runMapping(
  path: string,
  send: (line: ChildLine) => Promise<void>,
): Promise<void> {
  const { program, input } = request.parse(JSON.parse(readFileSync(path, "utf8")));
  const isBeyondMemory = limitMemory();
  const { raw } = await import("jq-wasm");
  await raw("null", "empty");
  await send({ type: "progress", done: 0, total: 1 });
  try {
    // The array keeps the values of a program that fails later from having been given.
    const text = await raw(JSON.stringify(input), `[(${program}\n)]`, ["-c"]);
    if (text === "") throw new Error("it was halted");
    const bytes = Buffer.byteLength(text);
    if (bytes > outputCharactersAtMost) throw new Error("it gave more than 1 MiB");
    if (!isArray(text)) throw new Error("it closes a parenthesis that it does not open");
    if (!isStorable(text)) throw new Error("it gave text that cannot be stored");
    await send({ type: "page", number: 1, text });
    await send({ type: "end", mediaType: "application/json", metadata: {}, warnings: [] });
  } catch (error) {
    await send({
      type: "error",
      code: "corrupt",
      message: `The mapping failed: ${isBeyondMemory() ? memoryReason : reasonOf(error)}`,
    });
  }
}

/** A program may end the array that it is put into, and begin others. */
function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const memoryReason = "it takes more memory than 64 MiB";
const engineReason = "its values are too large or too deep for the engine";
/** The engine's messages when it cannot go on, e.g. beyond its stack. */
const engineEnds = /^Aborted\(|memory access|unreachable|call stack/i;

/**
 * Refuses the engine's memory to grow beyond the limit, at which jq ends with one of several
 * errors. The result says if that has happened.
 */
function limitMemory(): () => boolean {
  const grow = WebAssembly.Memory.prototype.grow;
  let isRefused = false;
  WebAssembly.Memory.prototype.grow = function limited(this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * pageBytes > memoryBytesAtMost) {
      isRefused = true;
      throw new RangeError(memoryReason);
    }
    return grow.call(this, pages);
  };
  return () => isRefused;
}

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const [line = ""] = words.replace(/^Failed to execute raw query: /, "").split("\n");
  if (engineEnds.test(line)) return engineReason;
  return line
    .replace(/^jq: error(?: \(at [^)]*\))?: /, "")
    .slice(0, 500)
    .trim();
}
