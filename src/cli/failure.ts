import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { Fault } from "#contract/problems.ts";
import { keptOutcome } from "#lib/given-up.ts";
import { pointerWords } from "#lib/json-pointer.ts";
import { OutputClosed, OutputFailed } from "./output.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { harmlessJson } from "#lib/terminal-text.ts";
import type { Output } from "./output.ts";

/** The documented error object (spec 7.1), with the HTTP status and problem kept beside it. */
export interface FailureDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly suggestion: string;
    readonly exitCode: number;
    readonly status?: number;
    readonly requestId?: string;
    readonly errors?: unknown;
    readonly hint?: string;
  };
}

/**
 * Any thrown value as a catalog error. An unforeseen one becomes E203 or E305 without its stack
 * or its properties: an error object may hold credentials.
 */
export function asCatalogError(error: unknown, aborted: boolean): CatalogError {
  if (error instanceof CatalogError) return error;
  if (aborted || (error instanceof Error && error.name === "AbortError")) {
    const hint = keptOutcome(error);
    return catalogError(
      "E305",
      { details: "interrupted" },
      { exitCode: exitCodes.interrupted, ...(hint === undefined ? {} : { hint }) },
    );
  }
  if (error instanceof OutputFailed) {
    const details = `stdout could not be written: ${error.message}`;
    const hint = "What was asked for may be done all the same: look before you ask again";
    return catalogError("E305", { details }, { hint, cause: error.cause });
  }
  const reason = systemReason(error);
  if (reason !== undefined) return catalogError("E305", { details: reason }, { cause: error });
  return catalogError(
    "E203",
    { details: "something unexpected happened in svc itself" },
    { cause: error, hint: "Run again with SVC_DEBUG=1 for what is known about it" },
  );
}

/** Codes of a read or a write of an open file, whose error names no path. */
const codesWithoutPath = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EMFILE"]);

/** What the system refused, and of which file. Whoever knows what it was for says more. */
function systemReason(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  if (code === "EADDRINUSE") return "the port is in use";
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (path !== undefined) return `cannot use ${path}: ${systemErrorWords(error)}`;
  return codesWithoutPath.has(code) ? systemErrorWords(error) : undefined;
}

/** `exitCode` is the process's own, which a signal may have made another than the error's. */
function failureDocument(error: CatalogError, exitCode: number): FailureDocument {
  const requestId = error.problem?.["requestId"];
  const faults = error.problem?.["errors"];
  return {
    error: {
      code: error.code,
      message: error.message,
      suggestion: error.suggestion,
      exitCode,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(typeof requestId === "string" ? { requestId } : {}),
      ...(Array.isArray(faults) && faults.length > 0 ? { errors: faults } : {}),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    },
  };
}

/** Where to read on after a nonzero exit (spec 7.1). */
function helpWords(commandPath: string | undefined): string {
  return `Help: \`${commandPath === undefined ? "svc" : `svc ${commandPath}`} --help\``;
}

/** The hint of an exit code other than 0 that no error stands for. */
export async function noteHelp(output: Output, commandPath: string): Promise<void> {
  await output.note(output.tone("dim", helpWords(commandPath)));
}

const shownFaults = 20;

function isFault(value: unknown): value is Fault {
  if (typeof value !== "object" || value === null) return false;
  if (!("pointer" in value && "detail" in value)) return false;
  return typeof value.pointer === "string" && typeof value.detail === "string";
}

function readable({ pointer, detail }: Fault): Fault {
  return { pointer: pointerWords(pointer), detail };
}

/**
 * What people read of an error: the message, then one line for each fault that it does not name.
 * Several faults are always lines of their own, and the message ends where they begin.
 */
function wordsOf(error: CatalogError): { headline: string; details: string[] } {
  const { message, problem } = error;
  const given = problem?.["errors"];
  const faults = Array.isArray(given) ? given.filter(isFault).map(readable) : [];
  const begins = message.indexOf(faults[0]?.pointer ?? "");
  const isList = faults.length > 1 && begins > 0;
  const unsaid = faults.filter(
    ({ pointer, detail }) => isList || !(message.includes(pointer) && message.includes(detail)),
  );
  const details = unsaid
    .slice(0, shownFaults)
    .map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const more = unsaid.length - shownFaults;
  if (more > 0) details.push(`and ${more} more`);
  const hint = hintOf(error, faults[0]?.pointer);
  if (hint !== "") details.push(hint);
  return { headline: isList ? message.slice(0, begins).trimEnd() : message, details };
}

/** The hint without what the message, a fault or the code itself says already. */
function hintOf(error: CatalogError, firstPointer: string | undefined): string {
  const { hint = "", message, problem } = error;
  const detail = problem?.["detail"];
  if (typeof detail !== "string" || !hint.startsWith(detail)) return hint;
  const isSaid =
    message.includes(detail) ||
    detail === problem?.["title"] ||
    (firstPointer !== undefined && detail.startsWith(firstPointer));
  return isSaid ? hint.slice(detail.length).replace(/^\.\s*/, "") : hint;
}

/** Words for people, broken between words where the terminal's line ends. */
function wrapped(output: Output, text: string, indent: string): string {
  const room = output.noteColumns - indent.length;
  const lines = Bun.stringWidth(text) <= room ? [text] : Bun.wrapAnsi(text, room).split("\n");
  return lines.map((line) => indent + line).join("\n");
}

/** Says what went wrong: JSON on stdout with `--format json`, words on stderr otherwise. */
export async function reportFailure(
  output: Output,
  error: CatalogError,
  commandPath: string | undefined,
  exitCode: number = error.exitCode,
): Promise<void> {
  if (output.isJson && output.isStream) {
    await output.note(harmlessJson(JSON.stringify(failureDocument(error, exitCode))));
    return;
  }
  if (output.isJson) {
    try {
      await output.data(failureDocument(error, exitCode), () => "");
      return;
    } catch (failure) {
      if (failure instanceof OutputClosed) return;
      // stdout takes nothing (a full disk): stderr may still reach somebody.
    }
  }
  const help = helpWords(commandPath);
  if (error.exitCode === exitCodes.interrupted) {
    const outcome = error.hint === undefined ? "" : `${error.hint}. `;
    await output.note(`Interrupted. ${outcome}${output.tone("dim", help)}`);
    return;
  }
  const { headline, details } = wordsOf(error);
  const lines = [
    wrapped(
      output,
      `${output.tone("danger", "Error")} ${error.code}: ${output.tone("strong", headline)}`,
      "",
    ),
    ...details.map((line) => wrapped(output, output.tone("dim", line), "  ")),
    wrapped(output, `${output.tone("dim", "→")} ${output.plain(error.suggestion)}`, ""),
    output.tone("dim", `${help}, \`svc errors ${error.code}\``),
  ];
  await output.note(lines.join("\n"));
}
