import { usageError } from "#cli/errors.ts";
import type { CommandContext } from "../context.ts";
import { secretTextOf } from "./secret-text.ts";

/**
 * The mail server in `--smtp-url`, in the file of `--smtp-url-file`, or in `SVC_SMTP_URL`. The last
 * two keep a password out of the list of processes. Throws a usage error that quotes no password.
 */
export async function smtpUrlOf(
  context: CommandContext,
  options: { readonly "smtp-url"?: string; readonly "smtp-url-file"?: string },
): Promise<string | undefined> {
  const found = await secretTextOf(context, {
    flag: "--smtp-url",
    given: options["smtp-url"],
    file: options["smtp-url-file"],
    variable: "SVC_SMTP_URL",
  });
  if (found === undefined) return undefined;
  const { source, text } = found;
  const { smtpServerOf } = await import("#server/domains/members/smtp-mailer.ts");
  try {
    smtpServerOf(text);
    return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(
      `${source}: ${error.message}`,
      "Expected smtp://user:password@mail.example.org:587?from=svc@example.org",
    );
  }
}
