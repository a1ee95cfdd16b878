/**
 * `tuned-server OPTIONS…`: a platform for each options of `serve` as JSON, in one process, for
 * mechanisms that no command switches off. Prints their addresses and tokens as one line of JSON.
 */
import { serve, type ServeOptions } from "#server/serve.ts";

const hourMs = 60 * 60 * 1000;
const platforms: { url: string; token: string }[] = [];
for (const text of process.argv.slice(2)) {
  const given: Pick<ServeOptions, "dataDirectory" | "databaseUrl" | "threads" | "tuning"> =
    JSON.parse(text);
  const { url, platform } = await serve({
    host: "127.0.0.1",
    port: 0,
    // No document is uploaded here.
    extractionCommand: ["false"],
    log: (line) => console.error(line),
    ...given,
  });
  const { token } = await platform.mintToken({ ttlMs: hourMs });
  platforms.push({ url, token });
}
process.stdout.write(`${JSON.stringify(platforms)}\n`);
