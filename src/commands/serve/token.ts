import { shown } from "#cli/shown.ts";
import { longestTokenMs } from "#contract/access/sign-in.ts";
import { usageFormatError } from "#cli/errors.ts";
import { parseDuration } from "../kit/input/duration.ts";
import { command } from "../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf, requireKeyFile } from "./data-places.ts";

export default command({
  path: "serve token",
  summary: "Mint an access token on the platform's machine",
  arguments: [],
  options: {
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": dataPlaceOptions["database-url"],
    "database-url-file": dataPlaceOptions["database-url-file"],
    "key-file": dataPlaceOptions["key-file"],
    email: { type: "string", description: "For this user (default: the first user)" },
    ttl: { type: "string", default: "1h", description: "Lifetime, e.g. 15m, 1h, 7d" },
  },
  answer: ({ z }) => z.looseObject({ token: z.string(), expiresAt: z.string() }),
  examples: ["SVC_TOKEN=$(svc serve token --data-dir ./data) svc workspace list --all"],
  trials: ["--data-dir data"],
  async run({ options }, context) {
    const ttlMs = parseDuration(options.ttl);
    if (ttlMs === undefined || ttlMs < 1000 || ttlMs > longestTokenMs) {
      throw usageFormatError(`--ttl "${options.ttl}"`, "1s to 30d");
    }
    const { mintToken } = await import("#server/platform/maintenance/token.ts");
    const { dataDirectory, databaseUrl, keyFile } = requireKeyFile(
      await dataPlacesOf(context, options),
    );
    const minted = await mintToken({
      dataDirectory,
      databaseUrl,
      keyFile,
      email: options.email,
      ttlMs,
    });
    await context.output.data(minted, () => shown`${minted.token}`);
  },
});
