import { randomBytes } from "node:crypto";
import { constants, type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { platform as platformName } from "node:os";
import { dirname, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { Reader } from "../database/database.ts";
import { keyBytes, SealingKey, sealedMaster, Secrets } from "../domains/secrets/service.ts";
import { isCode, makeFolder, syncFolder } from "../files/folders.ts";
import type { Work } from "../work/work.ts";
import type { StorageLocation } from "./storage-location.ts";

const keyFilename = "svc.key";
/** A longer file has no key, and is not read into memory. */
const longestKeyFile = 4096;
/** Rights of other users of the machine. */
const othersBits = 0o077;

/** The file with the key that seals the database's secrets. */
export function keyFileOf({ dataDirectory, keyFile }: StorageLocation): string {
  return keyFile ?? join(dataDirectory, keyFilename);
}

/** The new key of a rotation, until the database needs it. */
export function nextKeyFile(path: string): string {
  return `${path}.next`;
}

/**
 * Opens the database's secrets with the key file; the first start makes both. Throws E006 for a
 * missing, readable or wrong key file.
 */
export async function openSecrets(
  work: Work,
  location: StorageLocation,
  now: Date,
): Promise<Secrets> {
  const path = keyFileOf(location);
  const sealed = await sealedMaster(work.read);
  if (sealed !== undefined) return secretsOf(sealed, path);
  const key = (await readKey(path)) ?? (await makeKey(path));
  const secrets = await Secrets.create(work, key, now);
  if (secrets === undefined) throw wrongKey(path);
  return secrets;
}

/** The secrets of a used database; undefined before its first start. Throws E006. */
export async function storedSecrets(
  reader: Reader,
  location: StorageLocation,
): Promise<{ readonly secrets: Secrets; readonly sealed: string } | undefined> {
  const sealed = await sealedMaster(reader);
  if (sealed === undefined) return undefined;
  return { sealed, secrets: await secretsOf(sealed, keyFileOf(location)) };
}

/** The secrets as {@link storedSecrets} opens them, without a change of any file. Throws E006. */
export async function checkedSecrets(
  reader: Reader,
  location: StorageLocation,
): Promise<Secrets | undefined> {
  const sealed = await sealedMaster(reader);
  return sealed === undefined ? undefined : (await unsealed(sealed, keyFileOf(location))).secrets;
}

async function secretsOf(sealed: string, path: string): Promise<Secrets> {
  const { secrets, isNext } = await unsealed(sealed, path);
  if (isNext) await adoptNextKey(path);
  return secrets;
}

async function unsealed(
  sealed: string,
  path: string,
): Promise<{ readonly secrets: Secrets; readonly isNext: boolean }> {
  const key = await readKey(path);
  const secrets = key === undefined ? undefined : Secrets.open(sealed, key);
  if (secrets !== undefined) return { secrets, isNext: false };
  // A rotation may have ended before its new file had this name.
  const next = await readKey(nextKeyFile(path));
  const renewed = next === undefined ? undefined : Secrets.open(sealed, next);
  if (renewed !== undefined) return { secrets: renewed, isNext: true };
  if (key === undefined) {
    throw unusable(path, "it is missing, and the database was used with one", whereIsIt);
  }
  throw wrongKey(path);
}

/** Gives the new key of a rotation the name of the old one. */
export async function adoptNextKey(path: string): Promise<void> {
  await rename(nextKeyFile(path), path);
  await syncFolder(dirname(path));
}

/** The key in a file; undefined without the file. Throws E006. */
export async function readKey(path: string): Promise<SealingKey | undefined> {
  let handle: FileHandle;
  try {
    // The open of a pipe waits for its writer unless O_NONBLOCK is set.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw unusable(path, systemErrorWords(error), "Give a file that svc may read", error);
  }
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw unusable(path, "it is not a file", whereIsIt);
    if (platformName() !== "win32" && (facts.mode & othersBits) !== 0) {
      const mode = (facts.mode & 0o777).toString(8).padStart(4, "0");
      const why = `its mode is ${mode}, so that other users of this machine may use it`;
      throw unusable(path, why, `Run \`chmod 600 ${path}\``);
    }
    if (facts.size > longestKeyFile) throw unusable(path, notAKey, howToMake);
    const bytes = keyIn((await handle.readFile("utf8")).trim());
    if (bytes === undefined) throw unusable(path, notAKey, howToMake);
    return new SealingKey(bytes);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw unusable(path, systemErrorWords(error), "Give a file that svc may read", error);
  } finally {
    await handle.close();
  }
}

/** 32 bytes in base64 or base64url. */
function keyIn(text: string): Uint8Array | undefined {
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.byteLength === keyBytes ? bytes : undefined;
}

/** Makes a key file with mode 0600, whole or not at all; the existing key if there is one. */
export async function makeKey(path: string): Promise<SealingKey> {
  const partial = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    await writeKey(partial);
    // Unlike a rename, a link never replaces another process's key.
    await link(partial, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
    await syncFolder(dirname(path));
  } catch (error) {
    const hint = "Give a file in a directory that svc may write to, with --key-file";
    throw unusable(path, systemErrorWords(error), hint, error);
  } finally {
    await rm(partial, { force: true });
  }
  const made = await readKey(path);
  if (made === undefined) throw unusable(path, "it disappeared", whereIsIt);
  return made;
}

async function writeKey(path: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(keyBytes).toString("base64url")}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const notAKey = "it does not hold a key of 32 bytes in base64";
const howToMake = "Name the right file, or make one with `openssl rand -base64 32`";
const whereIsIt =
  "Copy it from where its backup is kept, or name it with --key-file or SVC_KEY_FILE: the first " +
  "start made it, and `svc serve backup` does not copy it";

function wrongKey(path: string): Error {
  return unusable(path, "it is not the key of this database", whereIsIt);
}

function unusable(path: string, why: string, hint: string, cause?: unknown): Error {
  const details = `cannot use the key file ${path}: ${why}`;
  return catalogError("E006", { details }, { hint, ...given({ cause }) });
}
