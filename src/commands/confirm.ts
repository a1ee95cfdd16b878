import { catalogError } from "#contract/errors.ts";
import { chunksUntil } from "#lib/stream.ts";
import type { CommandContext } from "./context.ts";

const longestAnswer = 4096;

/** One line from the terminal, without its end; at most 4,096 characters. Ctrl-C ends the wait. */
export async function askLine(context: CommandContext, question: string): Promise<string> {
  const { environment, output, signal } = context;
  await environment.stderr.write(question);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of chunksUntil(environment.stdin.stream(), signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\n") || text.length >= longestAnswer) break;
    }
  } finally {
    // Where no Enter ended the line, what follows would stand beside the question.
    if (!text.includes("\n")) await output.note("");
  }
  return (text.split("\n")[0] ?? "").trim();
}

/** Whether a person can be asked: JSON is for programs, and a pipe answers nobody's question. */
export function canAsk({ environment, output }: CommandContext): boolean {
  return environment.stdin.isTerminal && environment.stderr.isTerminal && !output.isJson;
}

/**
 * Asks before something is removed. Where nobody can be asked it fails at once and names the flag
 * that says yes; any answer but yes ends with E305.
 */
export async function confirm(
  context: CommandContext,
  question: string,
  flag: string,
): Promise<void> {
  if (!canAsk(context)) {
    throw catalogError(
      "E303",
      { field: flag },
      { hint: "Nobody can be asked here: say yes with the flag" },
    );
  }
  const answer = await askLine(context, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw catalogError("E305", { details: "not confirmed" });
}
