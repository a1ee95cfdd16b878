import type { Environment } from "#cli/environment.ts";
import type { ReportedFailure } from "#cli/run.ts";
import { exitCodes } from "#contract/errors.ts";
import { findConfigDirectory } from "#local/configuration/settings.ts";
import { rememberLastError } from "#local/configuration/last-error.ts";
import { environmentRedactor } from "./secrets.ts";

const longestMessage = 2_000;

/** Keeps the error for the next `svc support`, which may not replace it with its own. */
export async function noteLastError(
  { variables, homeDirectory, signal }: Environment,
  { error, exitCode, command }: ReportedFailure,
): Promise<void> {
  if (command === "support" || command === "errors") return;
  if (signal.aborted || error.exitCode === exitCodes.interrupted) return;
  let configDirectory: string;
  try {
    configDirectory = findConfigDirectory(variables, homeDirectory).value;
  } catch {
    return;
  }
  const message = error.message.slice(0, 64 * 1024);
  const redactor = environmentRedactor(variables, homeDirectory);
  await rememberLastError(configDirectory, {
    at: new Date().toISOString(),
    command,
    code: error.code,
    message: redactor.redact(message).slice(0, longestMessage).toWellFormed(),
    exitCode,
    status: error.status,
  });
}
