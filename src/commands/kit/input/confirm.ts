import { shown, type Shown } from "#cli/shown.ts";
import { missingField } from "#cli/errors.ts";
import { catalogError, exitCodes, type CatalogError } from "#contract/errors.ts";
import type { CommandContext } from "../context.ts";
import { Conversation } from "./conversation.ts";

/** One trimmed line from the terminal, of at most 4,096 characters. Ctrl-C ends the wait. */
export async function askLine(context: CommandContext, question: Shown): Promise<string> {
  const conversation = new Conversation(context);
  try {
    return await conversation.ask(question);
  } finally {
    await conversation.close();
  }
}

/** Returns whether a question can be asked: on a terminal, and not in JSON mode. */
export function canAsk({ environment, output }: CommandContext): boolean {
  return environment.stdin.isTerminal && environment.stderr.isTerminal && !output.isJson;
}

/** Asks before a removal. Throws E303 if it can't ask, and E305 for any answer except yes. */
export async function confirm(
  context: CommandContext,
  question: string,
  flag: string,
): Promise<void> {
  if (!canAsk(context)) {
    throw missingField(flag, "No terminal to ask on: confirm with the flag");
  }
  const answer = await askLine(context, shown`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw notConfirmed();
}

/** Asks for the name of what cannot be restored at once. Throws as {@link confirm} does. */
export async function confirmByName(
  context: CommandContext,
  question: string,
  name: string,
  flag: string,
): Promise<void> {
  if (!canAsk(context)) {
    throw missingField(flag, "No terminal to ask on: confirm with the flag");
  }
  const answer = await askLine(context, shown`${question} Type ${name} to confirm: `);
  if (answer !== name) throw notConfirmed();
}

/** An answer of the user is a decision, not a fault of the call. */
function notConfirmed(): CatalogError {
  const options = { exitCode: exitCodes.failed };
  return catalogError("E305", { details: "not confirmed" }, options);
}
