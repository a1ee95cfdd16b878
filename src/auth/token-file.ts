import { chmod, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { AtomicFile, makePrivateFolder, writeFileAtomically } from "#lib/atomic-write.ts";
import { FileLockError, withFileLock } from "#lib/file-lock.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { filledText, membersOf, parsedJson } from "#lib/json-value.ts";
import type { TokenSet } from "./surface.ts";

/**
 * `tokens.json`: sign-ins by profile and platform origin, so that a token never leaves for another
 * origin than the one it was issued for. Mode 0600, whole or absent, changed under a lock.
 */

const fileName = "tokens.json";
const lockName = "tokens.lock";
const maximumBytes = 4 * 1024 * 1024;

/** Which sign-in is meant. */
export interface SignInKey {
  readonly profile: string;
  /** Origin of the platform's base URL. */
  readonly origin: string;
}

export interface StoredSignIn extends SignInKey {
  readonly tokens: TokenSet;
}

/** All stored sign-ins; none when there is no file. Throws E006 when it is damaged. */
export async function readSignIns(configDirectory: string): Promise<readonly StoredSignIn[]> {
  const path = join(configDirectory, fileName);
  let text: string | undefined;
  try {
    const facts = await stat(path);
    // A pipe or device in its place may never end.
    if (facts.isFile() && facts.size <= maximumBytes) {
      // Somebody may have copied it with wider permissions. On a read-only mount it stays as it is:
      // not to read it would keep nobody else from reading it.
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

/** Stores, or with `undefined` removes, one sign-in; call it under `withTokenLock`. */
export async function writeSignIn(
  configDirectory: string,
  key: SignInKey,
  tokens: TokenSet | undefined,
): Promise<void> {
  let others: readonly StoredSignIn[];
  try {
    others = (await readSignIns(configDirectory)).filter((signIn) => !same(signIn, key));
  } catch {
    // A damaged file holds nothing that could be kept.
    others = [];
  }
  const kept = tokens === undefined ? others : [...others, { ...key, tokens }];
  await writeAll(configDirectory, kept);
}

/** Removes a profile's sign-ins, on every origin; the file goes with the last one. */
export async function removeProfileSignIns(
  configDirectory: string,
  profile: string,
): Promise<readonly StoredSignIn[]> {
  let all: readonly StoredSignIn[];
  try {
    all = await readSignIns(configDirectory);
  } catch {
    all = [];
  }
  await writeAll(
    configDirectory,
    all.filter((signIn) => signIn.profile !== profile),
  );
  return all.filter((signIn) => signIn.profile === profile);
}

/** Throws E006 where `tokens.json` can't be written, e.g. on a read-only or full disk. */
export async function requireTokenStore(configDirectory: string): Promise<void> {
  await withTokenLock(configDirectory, async () => {
    const probe = await AtomicFile.create(join(configDirectory, fileName));
    await probe.discard();
  });
}

/** Runs `work` while no other process changes the file. Throws E104 when it stays locked. */
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
        timeout: "another process keeps the sign-in locked",
        damaged: `${join(configDirectory, lockName)} is damaged: remove it`,
      };
      throw catalogError("E104", { details: details[error.reason] });
    }
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError(
      "E006",
      { details: `${fileName}: ${systemErrorWords(error)}` },
      { hint: `It is kept in ${configDirectory}; SVC_CONFIG_DIR names another folder` },
    );
  }
}

async function writeAll(configDirectory: string, signIns: readonly StoredSignIn[]): Promise<void> {
  const path = join(configDirectory, fileName);
  if (signIns.length === 0) {
    try {
      await unlink(path);
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
    }
    return;
  }
  const content = { version: 1, signIns };
  await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

function same(left: SignInKey, right: SignInKey): boolean {
  return left.profile === right.profile && left.origin === right.origin;
}

/** By hand: a command that only needs its token must not pay for a schema library. */
function parse(text: string): StoredSignIn[] | undefined {
  const list = membersOf(parsedJson(text))?.get("signIns");
  if (!Array.isArray(list)) return undefined;
  const signIns: StoredSignIn[] = [];
  for (const entry of list) {
    const signIn = toSignIn(entry);
    if (signIn === undefined) return undefined;
    signIns.push(signIn);
  }
  return signIns;
}

function toSignIn(entry: unknown): StoredSignIn | undefined {
  const members = membersOf(entry);
  const tokens = membersOf(members?.get("tokens"));
  const profile = filledText(members?.get("profile"));
  const origin = filledText(members?.get("origin"));
  const accessToken = filledText(tokens?.get("accessToken"));
  const expiresAt = filledText(tokens?.get("expiresAt"));
  const issuer = filledText(tokens?.get("issuer"));
  const tokenEndpoint = filledText(tokens?.get("tokenEndpoint"));
  const clientId = filledText(tokens?.get("clientId"));
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
      refreshToken: filledText(tokens?.get("refreshToken")),
      idToken: filledText(tokens?.get("idToken")),
      scope: filledText(tokens?.get("scope")),
      expiresAt,
      issuer,
      tokenEndpoint,
      revocationEndpoint: filledText(tokens?.get("revocationEndpoint")),
      clientId,
    },
  };
}
