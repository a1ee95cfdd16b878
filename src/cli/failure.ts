import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { Fault } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import { abortOutcomeOf } from "#lib/time/abort-outcome.ts";
import { pointerWords } from "#lib/json/pointer.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { interruptedError } from "./errors.ts";
import { OutputClosed, OutputFailed, type Output } from "./output/output.ts";
import { Shown, shown } from "./shown.ts";

/** Any thrown value as a catalog error, without its properties, which may hold credentials. */
export function asCatalogError(error: unknown, aborted: boolean): CatalogError {
  if (error instanceof CatalogError) return error;
  if (aborted || (error instanceof Error && error.name === "AbortError")) {
    return interruptedError(abortOutcomeOf(error));
  }
  // These are faults of the machine, not of the call's words.
  const own = { exitCode: exitCodes.failed };
  if (error instanceof OutputFailed) {
    const details = `stdout could not be written: ${error.message}`;
    const hint = "The command may have taken effect: check before you run it again";
    return catalogError("E305", { details }, { ...own, hint, cause: error.cause });
  }
  const reason = systemReason(error);
  if (reason !== undefined) {
    return catalogError("E305", { details: reason }, { ...own, cause: error });
  }
  const hint = "Run again with SVC_DEBUG=1 for details";
  return catalogError("E203", { details: "unexpected error in svc" }, { cause: error, hint });
}

/** Codes of reads and writes of an open file, whose errors name no path. */
const codesWithoutPath = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EMFILE"]);

/** The system error as text, with its file. Callers that know the purpose report more. */
function systemReason(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  if (code === "EADDRINUSE") return "the port is in use";
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (path !== undefined) return `cannot use ${path}: ${systemErrorWords(error)}`;
  return codesWithoutPath.has(code) ? systemErrorWords(error) : undefined;
}

/** The documented error object (spec 7.1). After a signal `exitCode` differs from the error's. */
export function failureDocument(error: CatalogError, exitCode: number) {
  const requestId = error.problem?.["requestId"];
  const listed = error.problem?.["errors"];
  // Other deployments list texts, which are in the message or the hint.
  const faults = Array.isArray(listed) ? listed.filter((fault) => isJsonObject(fault)) : [];
  const text = (name: string) => {
    const value = error.problem?.[name];
    return error.code === "E204" && typeof value === "string" ? { [name]: value } : {};
  };
  return {
    error: {
      code: error.code,
      message: error.message,
      suggestion: error.suggestion,
      exitCode,
      ...given({ status: error.status }),
      ...(typeof requestId === "string" ? { requestId } : {}),
      ...text("requiredRole"),
      ...text("currentRole"),
      ...(faults.length > 0 ? { errors: faults } : {}),
      ...given({ hint: error.hint }),
    },
  };
}

/** The help hint after a nonzero exit (spec 7.1). */
function helpWords(commandPath: string | undefined): string {
  return `Help: \`${commandPath === undefined ? "svc" : `svc ${commandPath}`} --help\``;
}

export async function noteHelp(output: Output, commandPath: string): Promise<void> {
  await output.note(output.tone("dim", helpWords(commandPath)));
}

const shownFaults = 20;

function isFault(value: unknown): value is Fault {
  if (typeof value !== "object" || value === null) return false;
  if (!("pointer" in value && "detail" in value)) return false;
  return typeof value.pointer === "string" && typeof value.detail === "string";
}

/** The message, and a line for each fault that it does not name; several faults have their own. */
function wordsOf(error: CatalogError): { headline: string; details: string[] } {
  const { message, problem } = error;
  const given = problem?.["errors"];
  const faults = (Array.isArray(given) ? given.filter(isFault) : []).map((fault) => ({
    ...fault,
    pointer: pointerWords(fault.pointer),
  }));
  const begins = message.indexOf(faults[0]?.pointer ?? "");
  const isList = faults.length > 1 && begins > 0;
  const unnamed = faults.filter(
    ({ pointer, detail }) => isList || !(message.includes(pointer) && message.includes(detail)),
  );
  const details = unnamed
    .slice(0, shownFaults)
    .map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const more = unnamed.length - shownFaults;
  if (more > 0) details.push(`and ${more} more`);
  const hint = hintOf(error, faults[0]?.pointer);
  if (hint !== "") details.push(hint);
  return { headline: isList ? message.slice(0, begins).trimEnd() : message, details };
}

/** The hint without words that the message, a fault or the title already contains. */
function hintOf(error: CatalogError, firstPointer: string | undefined): string {
  const { hint = "", message, problem } = error;
  const detail = problem?.["detail"];
  if (typeof detail !== "string" || !hint.startsWith(detail)) return hint;
  const isRepeated =
    message.includes(detail) ||
    detail === problem?.["title"] ||
    (firstPointer !== undefined && detail.startsWith(firstPointer));
  return isRepeated ? hint.slice(detail.length).replace(/^\.\s*/, "") : hint;
}

function wrapped(output: Output, text: Shown, indent: number): Shown {
  const lines = text.wrapped(output.noteColumns - indent).indented(indent);
  return shown`${" ".repeat(indent)}${lines}`;
}

/** Reports an error: JSON on stdout with `--format json`, text on stderr otherwise. */
export async function reportFailure(
  output: Output,
  error: CatalogError,
  commandPath: string | undefined,
  exitCode: number = error.exitCode,
): Promise<void> {
  const isJson = output.isJson && !output.isProjected;
  if (isJson && output.isStream) {
    await output.note(Shown.json(JSON.stringify(failureDocument(error, exitCode)), true));
    return;
  }
  if (isJson) {
    try {
      await output.data(failureDocument(error, exitCode), () => []);
      return;
    } catch (failure) {
      if (failure instanceof OutputClosed) return;
      // stdout can't be written (a full disk), so the report goes to stderr.
    }
  }
  const help = helpWords(commandPath);
  if (error.exitCode === exitCodes.interrupted) {
    const outcome = error.hint === undefined ? "" : `${error.hint}. `;
    const words = shown`Interrupted. ${outcome}${output.tone("dim", help)}`;
    await output.note(wrapped(output, words, 0));
    return;
  }
  const { headline, details } = wordsOf(error);
  const sign = output.tone("danger", "Error");
  const title = shown`${sign} ${error.code}: ${output.tone("strong", headline)}`;
  const lines = [
    wrapped(output, title, 0),
    ...details.map((line) => wrapped(output, output.tone("dim", line), 2)),
    wrapped(output, shown`${output.tone("dim", "→")} ${error.suggestion}`, 0),
    output.tone("dim", `${help}, \`svc errors ${error.code}\``),
  ];
  await output.note(Shown.joined(lines, "\n"));
}
