import { AccessService } from "../domains/workspaces/access.ts";
import { IdentityService } from "../domains/identity/service.ts";
import { Passwords } from "../domains/identity/passwords.ts";
import { SignInService } from "../domains/sign-in/service.ts";
import { ExternalIssuer } from "../domains/tokens/external-issuer.ts";
import { SigningKeys } from "../domains/tokens/signing-keys.ts";
import { TokenService } from "../domains/tokens/service.ts";
import type { PlatformBase } from "../domains/base.ts";

/** Users, their roles, tokens and sign-in. */
export interface AccountServices {
  readonly access: AccessService;
  readonly identity: IdentityService;
  readonly tokens: TokenService;
  readonly signIn: SignInService;
  /** False with an external provider. */
  readonly hasPasswords: boolean;
}

/** Signs users in with passwords, or with the external provider at `authUrl`. */
export async function createAccounts(
  base: PlatformBase,
  options: {
    readonly authUrl: string | undefined;
    readonly acceptsIssuer: (issuer: string) => boolean;
  },
): Promise<AccountServices> {
  const { database, now, limits, lifetime, secrets, changes } = base;
  const { authUrl, acceptsIssuer } = options;
  const keys = await SigningKeys.load(database, now());
  const access = new AccessService({ database, now, changes: changes.access });
  const passwords = new Passwords();
  const identity = new IdentityService({ database, access, passwords, now });
  const tokens = new TokenService({
    database,
    keys,
    access,
    now,
    revocations: changes.grants,
    acceptsIssuer,
    ...(authUrl === undefined
      ? {}
      : {
          external: {
            issuer: new ExternalIssuer(authUrl, now),
            userOf: (external) => identity.externalUser(external),
          },
        }),
  });
  const signIn = new SignInService({
    database,
    access,
    tokens,
    passwords,
    secrets,
    limits,
    now,
    lifetime,
  });
  return { access, identity, tokens, signIn, hasPasswords: authUrl === undefined };
}
