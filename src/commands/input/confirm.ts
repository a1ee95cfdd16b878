import { shown, type Shown } from "#cli/shown.ts";
import { inputError, missingField } from "#cli/errors.ts";
import { chunksUntil } from "#lib/stream.ts";
import type { CommandContext } from "../context.ts";

const longestAnswer = 4096;

/** One trimmed line from the terminal, of at most 4,096 characters. Ctrl-C ends the wait. */
export async function askLine(context: CommandContext, question: Shown): Promise<string> {
  const { environment, output, signal } = context;
  await environment.stderr.write(question.toString());
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of chunksUntil(environment.stdin.stream(), signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\n") || text.length >= longestAnswer) break;
    }
  } finally {
    // Without an Enter the cursor is still on the line of the question.
    if (!text.includes("\n")) await output.note(shown``);
  }
  return (text.split("\n")[0] ?? "").trim();
}

/** Whether a question can be asked: on a terminal, and not in JSON mode. */
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
  if (!/^y(es)?$/i.test(answer)) throw inputError("not confirmed");
}

/** The same for what cannot be undone at once: the answer must be the name of the thing. */
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
  if (answer !== name) throw inputError("not confirmed");
}
