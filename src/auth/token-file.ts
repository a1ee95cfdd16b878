import { chmod, readFile, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import {
  AtomicFile,
  linkedPath,
  makePrivateFolder,
  removeAbandoned,
  writeFileAtomically,
} from "#lib/files/atomic-write.ts";
import { FileLockError, withFileLock } from "#lib/files/lock.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import type { TokenSet } from "./surface.ts";

/** `tokens.json`: sign-ins by profile and platform origin; mode 0600, replaced under a lock. */

const fileName = "tokens.json";
const lockName = "tokens.lock";
/** The first part of the names of unfinished copies. */
const label = "tokens";
/** An unfinished copy of this age belongs to a process that has ended. */
const copyMs = 60_000;
const maximumBytes = 4 * 1024 * 1024;

export interface SignInKey {
  readonly profile: string;
  readonly origin: string;
}

export interface StoredSignIn extends SignInKey {
  readonly tokens: TokenSet;
}

/** All stored sign-ins; none without a file. Throws E006 for a damaged file. */
export async function readSignIns(configDirectory: string): Promise<readonly StoredSignIn[]> {
  const path = await storedPath(configDirectory);
  await removeAbandoned(dirname(path), { label, idleMs: copyMs });
  let text: string | undefined;
  try {
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (facts.isFile() && facts.size <= maximumBytes) {
      // A copy may have wider permissions; a read-only mount keeps them.
      if ((facts.mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => undefined);
      text = await readFile(path, "utf8");
    }
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw catalogError("E006", { details: `${fileName}: ${systemErrorWords(error)}` });
  }
  const signIns = text === undefined ? undefined : parse(text);
  if (signIns !== undefined) return signIns;
  throw catalogError(
    "E006",
    { details: `${fileName} is damaged` },
    { hint: "Run `svc logout`, then `svc login`" },
  );
}

export async function readSignIn(
  configDirectory: string,
  key: SignInKey,
): Promise<TokenSet | undefined> {
  const signIns = await readSignIns(configDirectory);
  return signIns.find((signIn) => same(signIn, key))?.tokens;
}

/** Stores one sign-in, or removes it (`undefined`); call it under `withTokenLock`. */
export async function writeSignIn(
  configDirectory: string,
  key: SignInKey,
  tokens: TokenSet | undefined,
): Promise<void> {
  const others = (await readableSignIns(configDirectory)).filter((signIn) => !same(signIn, key));
  const kept = tokens === undefined ? others : [...others, { ...key, tokens }];
  await writeAll(configDirectory, kept);
}

/** Sign-ins that can be kept: none of a damaged file. */
async function readableSignIns(configDirectory: string): Promise<readonly StoredSignIn[]> {
  return await readSignIns(configDirectory).catch(() => []);
}

/**
 * Removes and returns the sign-ins of one profile on every origin, or of all profiles; the last one
 * removes the file.
 */
export async function removeSignIns(
  configDirectory: string,
  profile: string | undefined,
): Promise<readonly StoredSignIn[]> {
  const all = await readableSignIns(configDirectory);
  const isRemoved = (signIn: StoredSignIn) => profile === undefined || signIn.profile === profile;
  await writeAll(
    configDirectory,
    all.filter((signIn) => !isRemoved(signIn)),
  );
  return all.filter(isRemoved);
}

/** Throws E006 when `tokens.json` can't be written, e.g. on a read-only disk. */
export async function requireTokenStore(configDirectory: string): Promise<void> {
  await withTokenLock(configDirectory, async () => {
    const probe = await AtomicFile.create(await storedPath(configDirectory), { label });
    await probe.discard();
  });
}

/** Runs `work` under the lock of the file. Throws E104 when it stays locked. */
export async function withTokenLock<Result>(
  configDirectory: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    await makePrivateFolder(configDirectory);
    return await withFileLock(join(configDirectory, lockName), work, { signal });
  } catch (error) {
    if (error instanceof FileLockError) {
      const details = {
        timeout: "another process holds the lock of the sign-in",
        damaged: `${join(configDirectory, lockName)} is damaged: remove it`,
      };
      throw catalogError("E104", { details: details[error.reason] });
    }
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError(
      "E006",
      { details: `${fileName}: ${systemErrorWords(error)}` },
      { hint: `The file is in ${configDirectory}; SVC_CONFIG_DIR sets another folder` },
    );
  }
}

async function writeAll(configDirectory: string, signIns: readonly StoredSignIn[]): Promise<void> {
  const path = await storedPath(configDirectory);
  // Under the lock no other process writes a copy.
  await removeAbandoned(dirname(path), { label, idleMs: 0 });
  if (signIns.length === 0) {
    for (const each of new Set([path, join(configDirectory, fileName)])) {
      try {
        await unlink(each);
      } catch (error) {
        if (systemErrorCode(error) !== "ENOENT") throw error;
      }
    }
    return;
  }
  const content = { version: 1, signIns };
  await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, label });
}

/** The file itself where `tokens.json` is a symbolic link: the tokens are there. */
async function storedPath(configDirectory: string): Promise<string> {
  return await linkedPath(join(configDirectory, fileName));
}

function same(left: SignInKey, right: SignInKey): boolean {
  return left.profile === right.profile && left.origin === right.origin;
}

/** Parses without a schema library, which would slow down every command. */
function parse(text: string): StoredSignIn[] | undefined {
  const list = membersOf(parsedJson(text))?.get("signIns");
  if (!Array.isArray(list)) return undefined;
  const signIns = list.map(toSignIn).filter((signIn) => signIn !== undefined);
  return signIns.length === list.length ? signIns : undefined;
}

function toSignIn(entry: unknown): StoredSignIn | undefined {
  const members = membersOf(entry);
  const tokens = membersOf(members?.get("tokens"));
  const text = (name: string) => filledText(tokens?.get(name));
  const profile = filledText(members?.get("profile"));
  const origin = filledText(members?.get("origin"));
  const accessToken = text("accessToken");
  const expiresAt = text("expiresAt");
  const issuer = text("issuer");
  const tokenEndpoint = text("tokenEndpoint");
  const clientId = text("clientId");
  if (profile === undefined || origin === undefined || accessToken === undefined) return undefined;
  if (expiresAt === undefined || Number.isNaN(Date.parse(expiresAt))) return undefined;
  if (issuer === undefined || tokenEndpoint === undefined || clientId === undefined) {
    return undefined;
  }
  return {
    profile,
    origin,
    tokens: {
      accessToken,
      refreshToken: text("refreshToken"),
      idToken: text("idToken"),
      scope: text("scope"),
      expiresAt,
      issuer,
      tokenEndpoint,
      revocationEndpoint: text("revocationEndpoint"),
      clientId,
    },
  };
}
