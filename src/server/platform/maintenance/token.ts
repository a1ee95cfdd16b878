import { catalogError } from "#contract/errors.ts";
import { Refusal } from "#contract/problems.ts";
import {
  databaseUrlOf,
  noDataIn,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";
import {
  mintFor,
  type MintedToken,
  type MintOptions,
} from "../../domains/tokens/issue-for-script.ts";
import { platformWide } from "../../database/platform-wide.ts";
import { appendEntries, entryOfOperator } from "../../domains/audit/service.ts";
import { AccessService } from "../../domains/members/access.ts";
import { SigningKeys, type RotatedSigningKey } from "../../domains/tokens/signing-keys.ts";
import { TokenService } from "../../domains/tokens/service.ts";
import type { Database } from "../../database/database.ts";
import { storedSecrets } from "../key-file.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";

export interface MintTokenOptions extends MintOptions {
  readonly dataDirectory: string;
  /** The same as for `svc serve`. */
  readonly databaseUrl?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly now?: () => Date;
}

/**
 * `svc serve token`: a token from the keys of a data directory, whether its platform runs or not.
 */
export async function mintToken(options: MintTokenOptions): Promise<MintedToken> {
  const now = options.now ?? (() => new Date());
  return overStorage(options, async () => {
    requireData(options);
    const url = databaseUrlOf(options);
    const database = await openPlatformDatabase({ url, isExclusive: false, now });
    try {
      const keys = await keysOf(database, options, now);
      const access = new AccessService({ database, now });
      const tokens = new TokenService({ database, keys, access, now, acceptsIssuer: () => true });
      const minted = await mintFor(database, tokens, undefined, options);
      await noteToken(database, options, now());
      return minted;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
      const { email } = options;
      const resource = email === undefined ? "The first user" : `User ${email}`;
      throw catalogError("E202", { resource }, { cause: error });
    } finally {
      await database.close();
    }
  });
}

/** A full disk must not keep the operator out, so a failure of the entry is left alone. */
async function noteToken(database: Database, options: MintTokenOptions, at: Date): Promise<void> {
  const target = { email: options.email ?? "the first user", ttlMs: options.ttlMs };
  await note(database, entryOfOperator("serve.token", { target }, { at }));
}

async function note(database: Database, entry: ReturnType<typeof entryOfOperator>): Promise<void> {
  await platformWide(database)
    .write((writer) => appendEntries(writer, [entry]))
    .catch(() => undefined);
}

/** `svc serve rotate-signing-key`: also while the platform runs, which follows within a minute. */
export async function rotateSigningKey(
  options: StorageLocation & { readonly atOnce: boolean; readonly now?: () => Date },
): Promise<RotatedSigningKey> {
  return overStorage(options, async () => {
    requireData(options);
    const now = options.now ?? (() => new Date());
    const url = databaseUrlOf(options);
    const database = await openPlatformDatabase({ url, isExclusive: false, now });
    try {
      const keys = await keysOf(database, options, now);
      const rotated = await keys.rotate(options);
      const target = { kid: rotated.kid, previousKid: rotated.previousKid };
      await note(database, entryOfOperator("serve.rotate-signing-key", { target }, { at: now() }));
      return rotated;
    } finally {
      await database.close();
    }
  });
}

async function keysOf(
  database: Database,
  options: StorageLocation,
  now: () => Date,
): Promise<SigningKeys> {
  const stored = await storedSecrets(database, options);
  const keys =
    stored === undefined
      ? undefined
      : await SigningKeys.read({ database, secrets: stored.secrets, now });
  if (keys === undefined) throw noDataIn(options.dataDirectory);
  return keys;
}
