import { catalogError } from "#contract/errors.ts";
import { Refusal } from "#contract/problems.ts";
import { noDataIn, type StorageLocation } from "../storage-location.ts";
import {
  externalIssuerOf,
  mintFor,
  type MintedToken,
  type MintOptions,
} from "../../domains/tokens/issue-for-script.ts";
import { addOperatorEntry } from "../../domains/audit/service.ts";
import { SigningKeys, type RotatedSigningKey } from "../../domains/tokens/signing-keys.ts";
import { TokenIssuer } from "../../domains/tokens/issuer.ts";
import { storedSecrets } from "../key-file.ts";
import type { Work } from "../../work/work.ts";
import { withStoredWork } from "./stored-work.ts";

const reason = "keys that sign tokens";

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
  return withStoredWork(options, reason, async (work) => {
    const external = await externalIssuerOf(work);
    if (external !== undefined) {
      throw catalogError(
        "E205",
        { details: `the platform accepts only API keys and tokens of ${external}` },
        { hint: "Use `svc login`, or `svc key create` for a script" },
      );
    }
    try {
      const keys = await keysOf(work, options, now);
      const minted = await mintFor(work, new TokenIssuer(keys, now), undefined, options);
      await noteToken(work, options, now());
      return minted;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
      const { email } = options;
      const resource = email === undefined ? "The first user" : `User ${email}`;
      throw catalogError("E202", { resource }, { cause: error });
    }
  });
}

/** A full disk must not keep the operator out, so a failure of the entry is left alone. */
async function noteToken(work: Work, options: MintTokenOptions, at: Date): Promise<void> {
  const target = { email: options.email ?? "the first user", ttlMs: options.ttlMs };
  await note(work, "serve.token", target, at);
}

async function note(work: Work, action: string, target: object, at: Date): Promise<void> {
  await work.write((tx) => addOperatorEntry(tx, action, { target }, { at })).catch(() => undefined);
}

/** `svc serve rotate-signing-key`: also while the platform runs, which follows within a minute. */
export async function rotateSigningKey(
  options: StorageLocation & { readonly atOnce: boolean; readonly now?: () => Date },
): Promise<RotatedSigningKey> {
  const now = options.now ?? (() => new Date());
  return withStoredWork(options, reason, async (work) => {
    const keys = await keysOf(work, options, now);
    const rotated = await keys.rotate(options);
    const target = { kid: rotated.kid, previousKid: rotated.previousKid };
    await note(work, "serve.rotate-signing-key", target, now());
    return rotated;
  });
}

async function keysOf(work: Work, options: StorageLocation, now: () => Date): Promise<SigningKeys> {
  const stored = await storedSecrets(work.read, options);
  const keys =
    stored === undefined
      ? undefined
      : await SigningKeys.read({ work, secrets: stored.secrets, now });
  if (keys === undefined) throw noDataIn(options.dataDirectory);
  return keys;
}
