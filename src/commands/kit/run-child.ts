import type { CommandContext } from "./context.ts";

interface ChildOptions {
  readonly currentDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Everything that its stdin has; without it stdin is empty. */
  readonly stdin?: string;
}

/**
 * Runs a program whose output is that of this command. Resolves to its exit code; a signal to this
 * command ends the program with SIGTERM.
 */
export async function runChild(
  { environment, output, signal }: CommandContext,
  words: readonly string[],
  { currentDirectory, variables, stdin }: ChildOptions,
): Promise<number> {
  const child = Bun.spawn([...words], {
    cwd: currentDirectory,
    env: { ...variables },
    stdio: [stdin === undefined ? "ignore" : Buffer.from(stdin), "pipe", "pipe"],
  });
  const stop = (): void => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const pass = async (
      stream: ReadableStream<Uint8Array>,
      write: (chunk: Uint8Array) => Promise<void>,
    ): Promise<void> => {
      for await (const chunk of stream) await write(chunk);
    };
    await Promise.all([
      pass(child.stdout, (chunk) => output.raw(chunk)),
      pass(child.stderr, (chunk) => environment.stderr.write(chunk)),
    ]);
    return await child.exited;
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
