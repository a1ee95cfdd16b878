import { link, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { isCode, makeFolder, syncFolder } from "../../../files/folders.ts";

/** The keys of backups, in the formats of age. */
export interface BackupKeys {
  /** Public keys: each one's owner can read the backups. */
  readonly recipients: readonly string[];
  /** The private key; without it backups are written, but can't be read. */
  readonly identity: string | undefined;
}

export interface BackupKeyOptions {
  /** A file with the private key, `AGE-SECRET-KEY-1…`. */
  readonly backupKeyFile?: string | undefined;
  /** Further public keys that can read the backups, `age1…`. */
  readonly recipients?: readonly string[] | undefined;
}

const identityPattern = /^AGE-SECRET-KEY-1[A-Z0-9]+$/;
const longestKeyFile = 4096;

/**
 * Reads the keys of backups; `makes` creates a missing key file with mode 0600. Throws E006 for a
 * key that can't be used, and where none is given.
 */
export async function openBackupKeys(
  { backupKeyFile: path, recipients = [] }: BackupKeyOptions,
  { makes }: { readonly makes: boolean },
): Promise<BackupKeys> {
  if (path === undefined && recipients.length === 0) {
    throw catalogError("E006", { details: "backups need a key" }, { hint: whichKey });
  }
  const { Encrypter, identityToRecipient } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      const details = `the key of backups "${recipient}" can't be used`;
      throw catalogError("E006", { details }, { hint: whichKey, cause: error });
    }
  }
  if (path === undefined) return { recipients, identity: undefined };
  const identity = (await readIdentity(path)) ?? (makes ? await makeIdentity(path) : undefined);
  if (identity === undefined) throw unusable(path, "it is missing");
  const own = await identityToRecipient(identity);
  return { recipients: [...new Set([own, ...recipients])], identity };
}

const whichKey =
  "Give --backup-key-file, which the first backup makes, or --backup-recipient with a public key " +
  "of age (age1…)";

/** The key in a file; undefined without the file. */
async function readIdentity(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw unusable(path, systemErrorWords(error));
  }
  const lines = text.slice(0, longestKeyFile).split(/\r?\n/);
  const identity = lines.map((line) => line.trim()).find((line) => identityPattern.test(line));
  if (identity === undefined) throw unusable(path, "it has no line AGE-SECRET-KEY-1…");
  return identity;
}

/** Makes a key file, whole or not at all; returns the existing key if there is one. */
async function makeIdentity(path: string): Promise<string | undefined> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  const partial = `${path}.${crypto.randomUUID()}.tmp`;
  await makeFolder(dirname(path));
  try {
    const handle = await open(partial, "wx", 0o600);
    try {
      await handle.writeFile(`# public key: ${await identityToRecipient(identity)}\n${identity}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces another process's key.
    await link(partial, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw unusable(path, systemErrorWords(error));
  } finally {
    await rm(partial, { force: true });
  }
  return readIdentity(path);
}

function unusable(path: string, why: string): Error {
  const details = `cannot use the key file of backups ${path}: ${why}`;
  const hint = "Copy it from where its backup is kept, or name another one";
  return catalogError("E006", { details }, { hint });
}
