import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
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
    return catalogError("E305", { details: "interrupted" }, { exitCode: exitCodes.interrupted });
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "a file does not exist",
    EACCES: "a file may not be read or written",
    EPERM: "a file may not be changed",
    ENOSPC: "the disk is full",
    EISDIR: "a folder was named where a file is wanted",
    ENOTDIR: "a file was named where a folder is wanted",
    EROFS: "the file system is read-only",
    EMFILE: "too many files are open",
    EADDRINUSE: "the port is in use",
  };
  const reason = typeof code === "string" ? reasons[code] : undefined;
  if (reason !== undefined) return catalogError("E305", { details: reason }, { cause: error });
  return catalogError(
    "E203",
    { details: "something unexpected happened in svc itself" },
    { cause: error, hint: "Run again with SVC_DEBUG=1 for what is known about it" },
  );
}

export function failureDocument(error: CatalogError): FailureDocument {
  const requestId = error.problem?.["requestId"];
  const faults = error.problem?.["errors"];
  return {
    error: {
      code: error.code,
      message: error.message,
      suggestion: error.suggestion,
      exitCode: error.exitCode,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(typeof requestId === "string" ? { requestId } : {}),
      ...(Array.isArray(faults) && faults.length > 0 ? { errors: faults } : {}),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    },
  };
}

function faultLines(error: CatalogError): string[] {
  const faults = error.problem?.["errors"];
  if (!Array.isArray(faults)) return [];
  return faults.slice(0, 20).flatMap((fault: unknown) => {
    if (typeof fault !== "object" || fault === null) return [];
    const { pointer, detail } = fault as { pointer?: unknown; detail?: unknown };
    return typeof pointer === "string" && typeof detail === "string"
      ? [`  ${pointer}: ${detail}`]
      : [];
  });
}

/** Says what went wrong: JSON on stdout with `--format json`, words on stderr otherwise. */
export async function reportFailure(
  output: Output,
  error: CatalogError,
  commandPath: string | undefined,
): Promise<void> {
  if (output.isJson) {
    const document = failureDocument(error);
    await output.data(document, () => "");
    return;
  }
  const lines = [
    `${output.tone("danger", "Error")} ${error.code}: ${output.tone("strong", error.message)}`,
  ];
  for (const line of faultLines(error)) lines.push(output.tone("dim", line));
  if (error.hint !== undefined) lines.push(output.tone("dim", error.hint));
  lines.push(`${output.tone("dim", "→")} ${error.suggestion}`);
  const help = commandPath === undefined ? "svc --help" : `svc ${commandPath} --help`;
  lines.push(output.tone("dim", `Help: \`${help}\`, \`svc errors ${error.code}\``));
  await output.note(lines.join("\n"));
}
