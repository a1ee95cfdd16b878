import { catalogError, exitCodes } from "#contract/errors.ts";
import type { CommandContext } from "./context.ts";

/** One line from the terminal, without its end; at most 4,096 characters. */
export async function askLine(context: CommandContext, question: string): Promise<string> {
  const { environment, signal } = context;
  await environment.stderr.write(question);
  const reader = environment.stdin.stream().getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (!text.includes("\n") && text.length < 4096) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return (text.split("\n")[0] ?? "").trim();
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
  const { environment } = context;
  if (!environment.stdin.isTerminal || !environment.stderr.isTerminal || context.output.isJson) {
    throw catalogError(
      "E303",
      { field: flag },
      { exitCode: exitCodes.usage, hint: "Nobody can be asked here: say yes with the flag" },
    );
  }
  const answer = await askLine(context, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw catalogError("E305", { details: "not confirmed" });
}
