import { inputError, missingField } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { CommandContext } from "../../kit/context.ts";
import { canAsk } from "../../kit/input/confirm.ts";
import type { Conversation } from "../../kit/input/conversation.ts";
import { readText } from "../../kit/input/data.ts";

/** Arguments and questions that the commands of second factors share. */

export const factorArgument = {
  name: "factor",
  description: "ID; `svc account factors list`",
} as const;

export const passwordWords =
  "Needs your present password: on a terminal it asks for it and does not show it, otherwise it " +
  "reads it as one line from stdin.";

/** The present password. Throws E303 where JSON is asked for on a terminal, which would show it. */
export async function presentPassword(
  context: CommandContext,
  conversation: Conversation,
): Promise<string> {
  const hint = "Pass your present password as one line";
  if (canAsk(context)) {
    const typed = await conversation.askSecret(shown`Your present password: `);
    if (typed === "") throw missingField("the password", hint);
    return typed;
  }
  if (context.environment.stdin.isTerminal) throw missingField("stdin", hint);
  const text = await readText(context, "-", "stdin");
  const [password = "", ...rest] = text.split(/\r?\n/);
  if (password === "" || rest.some((line) => line !== "")) {
    throw inputError("stdin must have one line: your present password");
  }
  return password;
}

/** Prints the recovery codes of a first factor, two in a row; they are shown this once. */
export async function printCodes(context: CommandContext, codes: readonly string[]): Promise<void> {
  const { output } = context;
  if (codes.length === 0) return;
  await output.note(shown`Recovery codes, shown this once. Each signs you in once without it:`);
  for (let at = 0; at < codes.length; at += 2) {
    await output.note(shown`  ${codes.slice(at, at + 2).join("   ")}`);
  }
}
