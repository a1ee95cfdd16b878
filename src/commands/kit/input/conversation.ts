import { inputError } from "#cli/errors.ts";
import { shown, type Shown } from "#cli/shown.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import type { CommandContext } from "../context.ts";

const longestAnswer = 4096;

/** Questions on the terminal, one after another. A second stream of stdin would lose lines. */
export class Conversation {
  readonly #decoder = new TextDecoder();
  #chunks: AsyncGenerator<Uint8Array, void> | undefined;
  #text = "";

  constructor(private readonly context: CommandContext) {}

  /** One trimmed line of at most 4,096 characters; empty at the end of input. */
  async ask(question: Shown): Promise<string> {
    const { environment, output, signal } = this.context;
    await environment.stderr.write(question.toString());
    this.#chunks ??= chunksUntil(environment.stdin.stream(), signal);
    try {
      while (!this.#text.includes("\n") && this.#text.length < longestAnswer) {
        const { done, value } = await this.#chunks.next();
        if (done === true) break;
        this.#text += this.#decoder.decode(value, { stream: true });
      }
    } finally {
      // The cursor stays on the line of the question when no Enter ended it.
      if (!this.#text.includes("\n")) await output.note(shown``);
    }
    const end = this.#text.indexOf("\n");
    const line = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = end < 0 ? "" : this.#text.slice(end + 1);
    return line.trim();
  }

  /** Asks for a secret: the terminal does not show what is typed. */
  async askSecret(question: Shown): Promise<string> {
    const { unseen } = this.context.environment.stdin;
    if (unseen === undefined) return this.ask(question);
    const answer = await unseen(() => this.ask(question));
    if (answer === undefined) {
      throw inputError("the terminal cannot hide a password", "Pass it as one line of stdin");
    }
    // The Enter was not shown either.
    await this.context.output.note(shown``);
    return answer;
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }
}
