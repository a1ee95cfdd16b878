import { runExtractionChild } from "#server/text/extraction/child/run-child.ts";

/**
 * What `svc __extract` does, without the rest of the product: the program that the tests start as a
 * child.
 */
process.exitCode = await runExtractionChild({
  arguments: process.argv.slice(2),
  write: async (line) => {
    await Bun.write(Bun.stdout, line);
  },
});
