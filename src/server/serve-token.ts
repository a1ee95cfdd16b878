import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { Refusal } from "#contract/problems.ts";
import { databaseFilename } from "./platform/configuration.ts";
import { mintFor, type MintedToken, type MintOptions } from "./platform/mint.ts";
import { storageFailure } from "./platform/storage-failure.ts";
import { AccessService } from "./services/access.ts";
import { SigningKeys } from "./services/tokens/keys.ts";
import { TokenService } from "./services/tokens.ts";
import { openDatabase } from "./stores/database.ts";
import { StorageError } from "./stores/database/errors.ts";

export interface MintBesideOptions extends MintOptions {
  readonly dataDirectory: string;
  /** As the platform itself was given it. */
  readonly databaseUrl?: string | undefined;
  readonly now?: () => Date;
}

/**
 * `svc serve token`: a token made by reading the data directory of a platform that has been started
 * at least once, whether it runs now or not.
 */
export async function mintToken(options: MintBesideOptions): Promise<MintedToken> {
  const { dataDirectory } = options;
  const now = options.now ?? (() => new Date());
  const path = join(dataDirectory, databaseFilename);
  if (options.databaseUrl === undefined && !existsSync(path)) throw neverStarted(dataDirectory);
  const url = options.databaseUrl ?? `sqlite:${path}`;
  const database = await openDatabase({ url, isExclusive: false, now }).catch((error: unknown) => {
    throw error instanceof StorageError ? storageFailure(error, options.databaseUrl) : error;
  });
  try {
    const keys = await SigningKeys.read(database.read);
    if (keys === undefined) throw neverStarted(dataDirectory);
    const access = new AccessService({ database, now });
    const tokens = new TokenService({ database, keys, access, now, acceptsIssuer: () => true });
    return await mintFor(database, tokens, undefined, options);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
    throw catalogError("E202", { resource: `User ${options.email ?? ""}` }, { cause: error });
  } finally {
    await database.close();
  }
}

function neverStarted(dataDirectory: string): Error {
  return catalogError(
    "E202",
    { resource: `Platform data in ${dataDirectory}` },
    { hint: "Start it once with `svc serve`, or name its directory with --data-dir" },
  );
}
