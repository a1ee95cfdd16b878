import { runExtractionChild } from "#server/text/extraction/child/run-child.ts";

/** The command `svc __extract` without the rest of the product, for tests. */
process.exitCode = await runExtractionChild({
  arguments: process.argv.slice(2),
  write: async (line) => {
    await Bun.write(Bun.stdout, line);
  },
  input: () => Bun.stdin.stream(),
});
