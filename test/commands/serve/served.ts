import * as z from "zod";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import { svcExecutable } from "#test/support/svc.ts";

export const listening = z.object({
  url: z.url(),
  authUrl: z.url(),
  dataDir: z.string(),
  pid: z.number(),
});

/** Runs `svc serve` in this process until `whileUp` is done, then stops it as a signal would. */
export async function served(
  words: readonly string[],
  whileUp: (facts: z.output<typeof listening>) => Promise<void> = () => Promise.resolve(),
  stderr = captureStream(),
) {
  const aborter = new AbortController();
  const first = Promise.withResolvers<string>();
  const stdout = captureStream();
  const environment = captureEnvironment(["serve", "--port", "0", "--format", "json", ...words], {
    signal: aborter.signal,
    selfCommand: [await svcExecutable()],
    stderr,
    stdout: {
      ...stdout,
      write: async (chunk) => {
        await stdout.write(chunk);
        first.resolve(stdout.text());
      },
    },
  });
  const exited = runSvc(environment);
  void exited.then((code) => first.reject(new Error(`ended with ${code}: ${stderr.text()}`)));
  try {
    await whileUp(listening.parse(JSON.parse(await first.promise)));
  } finally {
    aborter.abort();
  }
  return { exitCode: await exited, stdout: stdout.text(), stderr: stderr.text() };
}
