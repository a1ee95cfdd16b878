import { Refusal } from "#contract/problems.ts";
import { authPath, commandClientId, commandScopes } from "#contract/sign-in.ts";
import type { TokenService } from "./service.ts";
import type { Database } from "../../database/database.ts";
import { firstSystemAdmin, putSecret, secret, userByEmail } from "../identity/store.ts";

/** Where the issuer of the last start stands, for a process that only mints. */
const issuerName = "issuer";
const loopbackIssuer = `http://127.0.0.1${authPath}`;

export interface MintOptions {
  /** The first user where none is named. */
  readonly email?: string | undefined;
  readonly ttlMs: number;
}

export interface MintedToken {
  readonly token: string;
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
}

/** Keeps the address that the platform has now, so that tokens minted beside it name it too. */
export async function rememberIssuer(
  database: Database,
  baseUrl: string,
  now: Date,
): Promise<void> {
  const issuer = baseUrl + authPath;
  if ((await secret(database.read, issuerName)) === issuer) return;
  await database.write((writer) => putSecret(writer, issuerName, issuer, now.toISOString()));
}

/** A token with no grant behind it: it holds until its time is over. */
export async function mintFor(
  database: Database,
  tokens: TokenService,
  baseUrl: string | undefined,
  options: MintOptions,
): Promise<MintedToken> {
  const { email, ttlMs } = options;
  const user =
    email === undefined
      ? await firstSystemAdmin(database.read)
      : await userByEmail(database.read, email);
  if (user === undefined) {
    throw new Refusal("not-found", { detail: `No user has the address ${email ?? ""}` });
  }
  const kept = await secret(database.read, issuerName);
  const { token, expiresAt } = await tokens.issueAccessToken({
    issuer: baseUrl === undefined ? (kept ?? loopbackIssuer) : baseUrl + authPath,
    user,
    lifetimeMs: ttlMs,
    scope: commandScopes.join(" "),
    clientId: commandClientId,
  });
  return { token, expiresAt: expiresAt.toISOString() };
}
