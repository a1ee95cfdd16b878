import { Refusal } from "#contract/problems.ts";
import { authPath, commandClientId, commandScopes } from "#contract/access/sign-in.ts";
import type { Work } from "../../work/work.ts";
import { firstSystemAdmin, userByEmail } from "../identity/service.ts";
import { keepText, keptText } from "../secrets/service.ts";
import type { TokenIssuer } from "./issuer.ts";

/** The secret that keeps the issuer of the last start, for a process that only issues tokens. */
const issuerName = "issuer";
/** The external provider of the last start; empty for the built-in one. */
const externalName = "external issuer";
const loopbackIssuer = `http://127.0.0.1${authPath}`;

export interface MintOptions {
  /** The first user by default. */
  readonly email?: string | undefined;
  readonly ttlMs: number;
}

export interface MintedToken {
  readonly token: string;
  /** The end of the token (RFC 3339, UTC). */
  readonly expiresAt: string;
}

/**
 * Stores the platform's current address as the issuer of tokens that another process issues, and
 * the external provider, whose platform would refuse such tokens.
 */
export async function rememberIssuer(
  work: Work,
  { baseUrl, authUrl }: { readonly baseUrl: string; readonly authUrl?: string | undefined },
  now: Date,
): Promise<void> {
  const kept = { [issuerName]: baseUrl + authPath, [externalName]: authUrl ?? "" };
  for (const [name, text] of Object.entries(kept)) {
    if (((await keptText(work.read, name)) ?? "") === text) continue;
    await work.write((tx) => keepText(tx, name, text, now.toISOString()));
  }
}

/** The external provider whose tokens alone the last start accepts. */
export async function externalIssuerOf({ read }: Pick<Work, "read">): Promise<string | undefined> {
  return (await keptText(read, externalName)) || undefined;
}

/** Issues a token without a grant; the end of all tokens of its user also ends it. */
export async function mintFor(
  { read }: Work,
  tokens: TokenIssuer,
  baseUrl: string | undefined,
  { email, ttlMs }: MintOptions,
): Promise<MintedToken> {
  const user = email === undefined ? await firstSystemAdmin(read) : await userByEmail(read, email);
  if (user === undefined) {
    throw new Refusal("not-found", { detail: `No user has the address ${email ?? ""}` });
  }
  if (user.disabled_at !== null) {
    throw new Refusal("conflict", { detail: `The account ${user.email} is disabled` });
  }
  const stored = await keptText(read, issuerName);
  const { token, expiresAt } = await tokens.issueAccessToken({
    issuer: baseUrl === undefined ? (stored ?? loopbackIssuer) : baseUrl + authPath,
    user,
    lifetimeMs: ttlMs,
    scope: commandScopes.join(" "),
    clientId: commandClientId,
  });
  return { token, expiresAt: expiresAt.toISOString() };
}
