import type { Shown } from "#cli/shown.ts";
import { shown } from "#cli/shown.ts";
import { chunksUntil } from "#lib/stream.ts";
import type { CommandContext } from "../context.ts";

/** A longer line is cut. */
const longestLine = 32_000;

/** Lines typed on the terminal, each after the prompt, until the end of input or Ctrl-C. */
export async function* typedLines(
  { environment, output, signal }: CommandContext,
  prompt: Shown,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const ask = (): Promise<void> => environment.stderr.write(prompt.toString());
  let text = "";
  await ask();
  for await (const chunk of chunksUntil(environment.stdin.stream(), signal)) {
    text = (text + decoder.decode(chunk, { stream: true })).slice(0, longestLine);
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      yield line;
      if (signal.aborted) return;
      await ask();
    }
  }
  if (text !== "") yield text;
  // The cursor is still on the line of the prompt.
  await output.note(shown``);
}
