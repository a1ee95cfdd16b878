/**
 * `tuned-server OPTIONS`: a platform with the options of `serve` as JSON, for mechanisms that no
 * command switches off. Prints its address and an access token as one line of JSON.
 */
import { serve, type ServeOptions } from "#server/serve.ts";

const hourMs = 60 * 60 * 1000;
const given: Pick<ServeOptions, "dataDirectory" | "databaseUrl" | "threads" | "tuning"> =
  JSON.parse(process.argv[2] ?? "{}");
const served = await serve({
  host: "127.0.0.1",
  port: 0,
  // No document is uploaded here.
  extractionCommand: ["false"],
  log: (line) => console.error(line),
  ...given,
});
const { token } = await served.platform.mintToken({ ttlMs: hourMs });
process.stdout.write(`${JSON.stringify({ url: served.url, token })}\n`);
