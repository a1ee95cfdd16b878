import { readFile } from "node:fs/promises";
import { usageError } from "#cli/errors.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "../context.ts";

/** Longer than any URL: a wrong file is not read into memory. */
const longestUrl = 4096;

/**
 * The mail server in `--smtp-url`, in the file of `--smtp-url-file`, or in `SVC_SMTP_URL`. The last
 * two keep a password out of the list of processes. Throws a usage error that quotes no password.
 */
export async function smtpUrlOf(
  context: CommandContext,
  options: { readonly "smtp-url"?: string; readonly "smtp-url-file"?: string },
): Promise<string | undefined> {
  const file = options["smtp-url-file"];
  const [source, given] =
    file !== undefined
      ? ["--smtp-url-file", await firstLine(context.resolvePath(file))]
      : options["smtp-url"] !== undefined
        ? ["--smtp-url", options["smtp-url"]]
        : ["SVC_SMTP_URL", context.environment.variables["SVC_SMTP_URL"]];
  if (given === undefined || given === "") return undefined;
  const { smtpServerOf } = await import("#server/domains/members/smtp-mailer.ts");
  try {
    smtpServerOf(given);
    return given;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(
      `${source}: ${error.message}`,
      "Expected smtp://user:password@mail.example.org:587?from=svc@example.org",
    );
  }
}

async function firstLine(path: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return (text.slice(0, longestUrl).split("\n")[0] ?? "").trim();
  } catch (error) {
    throw usageError(`--smtp-url-file: cannot read ${path}: ${systemErrorWords(error)}`);
  }
}
