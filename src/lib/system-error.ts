import { systemErrorTexts } from "./text/system-error-texts.ts";

/** The code of a system error, e.g. `ENOENT`; undefined for other codes, e.g. `E102`. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^E[A-Z0-9]*[A-Z]$/.test(code) ? code : undefined;
}

/** A file system error as text, without its path. */
export function systemErrorWords(error: unknown): string {
  const code = systemErrorCode(error);
  return systemErrorTexts[code ?? ""] ?? (code === undefined ? "it failed" : `it failed (${code})`);
}

/** The reason why a file could not be created, where ENOENT means its folder. */
export function writeErrorWords(error: unknown): string {
  return systemErrorCode(error) === "ENOENT"
    ? "its folder does not exist"
    : systemErrorWords(error);
}
