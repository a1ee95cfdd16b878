import { exitCodes } from "#contract/errors.ts";
import type { CommandFacts } from "./command.ts";

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The closed set of exit codes, with the meaning of each. */
export const exitCodeWords: Readonly<Record<ExitCode, string>> = {
  0: "Done",
  1: "An error, or a result that is not a success",
  2: "Wrong usage: unknown words, a missing value, or faulty input, found before any request",
  4: "Sign-in needed (E101 to E104)",
  8: "Still pending when the wait ended",
  130: "Interrupted by a signal",
};

/** The exit codes that a command can have. */
export function exitCodesOf(command: CommandFacts): ExitCode[] {
  const { done, failed, usage, signInNeeded, stillPending, interrupted } = exitCodes;
  const signsIn = command.routes !== undefined || command.runsAnother === true;
  return [
    done,
    failed,
    usage,
    ...(signsIn || command.signsIn === true ? [signInNeeded] : []),
    ...(command.waits === true || command.runsAnother === true ? [stillPending] : []),
    interrupted,
  ];
}
