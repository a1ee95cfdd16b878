import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";

/** `last-error.json`: the last error of a command, for `svc support`; mode 0600. */

const fileName = "last-error.json";
const maximumBytes = 16 * 1024;
const longestAgeMs = 24 * 60 * 60 * 1000;

export interface LastError {
  /** Time of the error (RFC 3339). */
  readonly at: string;
  /** The words of the command, without its arguments and options. */
  readonly command: string | undefined;
  readonly code: string;
  /** The error's message after redaction. */
  readonly message: string;
  readonly exitCode: number;
  /** The HTTP status of the platform's response. */
  readonly status?: number | undefined;
}

/** Replaces the last error. A folder or disk that can't be written is not an error. */
export async function rememberLastError(configDirectory: string, error: LastError): Promise<void> {
  try {
    const content = `${JSON.stringify({ version: 1, ...error })}\n`;
    if (Buffer.byteLength(content) > maximumBytes) return;
    // The parent is not created: it is the home directory, or one that the user named.
    await stat(dirname(configDirectory));
    await mkdir(configDirectory, { mode: 0o700 }).catch(() => undefined);
    await writeFileAtomically(join(configDirectory, fileName), content, {
      mode: 0o600,
      keepsLink: true,
    });
  } catch {
    // The command's own error is already reported.
  }
}

/** The last error; undefined if there is none, it can't be read, or it is older than 24 hours. */
export async function readLastError(
  configDirectory: string,
  nowMs: number,
): Promise<LastError | undefined> {
  const path = join(configDirectory, fileName);
  let text: string;
  try {
    const facts = await stat(path);
    if (!facts.isFile() || facts.size > maximumBytes) return undefined;
    text = await readFile(path, "utf8");
  } catch {
    return undefined;
  }
  const members = membersOf(parsedJson(text));
  const [at, code, message] = ["at", "code", "message"].map((name) =>
    filledText(members?.get(name)),
  );
  const exitCode = members?.get("exitCode");
  const status = members?.get("status");
  if (at === undefined || code === undefined || message === undefined) return undefined;
  if (typeof exitCode !== "number") return undefined;
  const ageMs = nowMs - Date.parse(at);
  if (!(ageMs >= 0 && ageMs <= longestAgeMs)) return undefined;
  return {
    at,
    command: filledText(members?.get("command")),
    code,
    message,
    exitCode,
    ...(typeof status === "number" ? { status } : {}),
  };
}
