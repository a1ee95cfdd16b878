import type { Identity } from "#contract/access/identity.ts";
import { Refusal } from "#contract/problems.ts";
import { emailKey } from "#lib/email-address.ts";
import { given } from "#lib/given.ts";
import type { Writer } from "../../database/database.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { Principal } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Passwords } from "./passwords.ts";
import { insertUser, userBySubject } from "./store.ts";
import {
  firstSystemAdmin,
  localIssuer,
  updateUser,
  userByEmail,
  userByOid,
  type User,
} from "./users.ts";

export {
  minimumPasswordLength,
  passwordFault,
  type OneTimePassword,
  type Passwords,
} from "./passwords.ts";
export {
  endTokens,
  firstSystemAdmin,
  hasOtherSystemAdmin,
  localIssuer,
  updateUser,
  userByEmail,
  userByOid,
  type User,
} from "./users.ts";

type UserChanges = Partial<Omit<User, "oid">>;

export const firstUserEmail = "admin@localhost";

/** Users by id, kept in memory. */
export interface UserCache {
  user(oid: string): Promisable<User | undefined>;
}

export interface ProfileChanges {
  readonly displayName?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** A user to create, from an invitation or the first start. */
export interface NewUser extends ProfileChanges {
  readonly email: string;
  readonly isSystemAdmin?: boolean;
}

/** The user that another provider's token identifies. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly displayName: string | undefined;
  /** When the token was issued, in seconds; undefined without the claim. */
  readonly issuedAt?: number | undefined;
  /** All claims of the token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Users of the installation (spec 4.4). */
export class IdentityService {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly access: UserCache;
      readonly passwords: Passwords;
      readonly now: () => Date;
      /** Copies the names of a user to where lists need them, in the same unit. */
      readonly onRenamed: (writer: Writer, user: User) => Promise<void>;
    },
  ) {}

  async me(principal: Principal): Promise<Identity> {
    if (principal.isKey === true) {
      const { oid, displayName } = principal;
      return { oid, displayName, systemAdmin: false, serviceAccount: true };
    }
    const user = presentUser(await this.parts.access.user(principal.oid));
    return { ...identityOf(user), systemAdmin: principal.systemAdmin };
  }

  async updateProfile(work: Work, oid: string, changes: ProfileChanges): Promise<Identity> {
    const { displayName, firstName, lastName } = changes;
    const user = await work.write(async (tx) => {
      await this.#update(
        tx,
        oid,
        given({ display_name: displayName, first_name: firstName, last_name: lastName }),
      );
      const changed = await userByOid(tx, oid);
      if (changed !== undefined) await this.parts.onRenamed(tx, changed);
      return changed;
    });
    return identityOf(presentUser(user));
  }

  /**
   * The installation's first user. The first start creates it, without a password. An unused one
   * gets the address of `first` in place of the default address.
   */
  async ensureFirstUser(first: NewUser): Promise<User> {
    const work = this.parts.platformWork("the first user");
    const isComplete = (user: User): boolean => !isDefault(user) || !isWithoutPassword(user);
    const present = await firstSystemAdmin(work.read);
    if (present !== undefined && isComplete(present)) return present;
    const row = this.#newUser({ ...first, isSystemAdmin: true });
    return work.write(async (tx) => {
      const other = await firstSystemAdmin(tx);
      if (other === undefined) {
        await insertUser(tx, row);
        return row;
      }
      const { email, email_key } = row;
      const isTaken = (await userByEmail(tx, email)) !== undefined;
      if (isComplete(other) || isTaken) return other;
      await this.#update(tx, other.oid, { email, email_key });
      return { ...other, email, email_key };
    });
  }

  /**
   * The first user's one-time password; undefined once it was issued or the user has signed in. A
   * start must ask for it last, because a failed start must not use it up.
   */
  async issueFirstPassword(): Promise<{ email: string; oneTimePassword: string } | undefined> {
    const present = await firstSystemAdmin(this.parts.platformWork("the first user").read);
    if (present === undefined || !isWithoutPassword(present)) return undefined;
    const { password, hash } = await this.parts.passwords.oneTime();
    const user = await this.#changeFirstUser(isWithoutPassword, {
      password_hash: hash,
      password_state: "one-time",
      // Only the operator's terminal shows it, and it may be used much later.
      password_expires_at: null,
    });
    return user === undefined ? undefined : { email: user.email, oneTimePassword: password };
  }

  /** Takes back a first password that could not be shown; a later start issues another. */
  async withdrawFirstPassword(): Promise<void> {
    await this.#changeFirstUser(
      (first) => first.password_state === "one-time" && first.activated_at === null,
      { password_hash: null, password_state: "none" },
    );
  }

  /**
   * Adds an account, without a password unless its hash is given; undefined where the address has
   * an account. It becomes active with its first sign-in.
   */
  async addUser(tx: Transaction, user: NewUser, passwordHash?: string): Promise<User | undefined> {
    const row = this.#newUser(user);
    const withPassword: User =
      passwordHash === undefined
        ? row
        : { ...row, password_hash: passwordHash, password_state: "set" };
    return (await insertUser(tx, withPassword)) ? withPassword : undefined;
  }

  /**
   * The user of another issuer's token, created at the first request. An invited user is linked
   * only by a verified address and before its first sign-in; an unverified address could be
   * anyone's.
   */
  async externalUser(identity: ExternalIdentity): Promise<User> {
    const { issuer, subject } = identity;
    const work = this.parts.platformWork("the user of another provider's token");
    const present = await userBySubject(work.read, issuer, subject);
    if (present !== undefined) return present;
    const now = this.parts.now().toISOString();
    const email = identity.email ?? "";
    const user = await work.write(async (tx) => {
      const other = await userBySubject(tx, issuer, subject);
      if (other !== undefined) return other;
      const invited =
        identity.isEmailVerified && email !== "" ? await userByEmail(tx, email) : undefined;
      if (invited !== undefined && isLinkable(invited)) {
        await this.#update(tx, invited.oid, {
          issuer,
          subject,
          password_hash: null,
          password_state: "none",
          activated_at: now,
        });
        return userByOid(tx, invited.oid);
      }
      const row = this.#newUser({ email, displayName: identity.displayName });
      // No one is found by an address that the provider has not verified.
      const email_key = identity.isEmailVerified ? row.email_key : "";
      const fresh = { ...row, email_key, issuer, subject, activated_at: now };
      return (await insertUser(tx, fresh)) ? fresh : userBySubject(tx, issuer, subject);
    });
    return presentUser(user);
  }

  /** The first user if it was changed; undefined where `condition` does not hold for it. */
  #changeFirstUser(
    condition: (first: User) => boolean,
    changes: UserChanges,
  ): Promise<User | undefined> {
    return this.parts.platformWork("the first user").write(async (tx) => {
      const first = await firstSystemAdmin(tx);
      if (first === undefined || !condition(first)) return undefined;
      await this.#update(tx, first.oid, changes);
      return first;
    });
  }

  #update(tx: Transaction, oid: string, changes: UserChanges): Promise<void> {
    return updateUser(tx, oid, { ...changes, updated_at: this.parts.now().toISOString() });
  }

  #newUser(user: NewUser): User {
    const oid = Bun.randomUUIDv7();
    const now = this.parts.now().toISOString();
    const { email, firstName, lastName } = user;
    const fullName = [firstName, lastName].filter((name) => (name ?? "") !== "").join(" ");
    return {
      oid,
      issuer: localIssuer,
      subject: oid,
      email,
      email_key: emailKey(email),
      display_name: user.displayName ?? (fullName === "" ? email : fullName),
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      password_hash: null,
      password_state: "none",
      password_expires_at: null,
      system_admin: user.isSystemAdmin === true ? 1 : 0,
      activated_at: null,
      disabled_at: null,
      token_generation: 0,
      created_at: now,
      updated_at: now,
    };
  }
}

/** The user of an accepted token; 401 for a disabled account and one that no longer exists. */
export function presentUser(user: User | undefined): User {
  if (user === undefined || user.disabled_at !== null) throw invalidToken();
  return user;
}

/** 401 for a token that is not valid (RFC 6750, 3.1). It quotes no part of the token. */
export function invalidToken(cause?: unknown): Refusal {
  return new Refusal("token-invalid", {
    detail: "Cannot accept this access token",
    headers: { "www-authenticate": 'Bearer realm="svc", error="invalid_token"' },
    ...given({ cause }),
  });
}

/**
 * True if another provider's verified address may take the account. No one owns the address that
 * the first user has by default, so it proves nothing: that administrator stays a local account.
 */
function isLinkable(user: User): boolean {
  return user.activated_at === null && !isDefault(user);
}

function isDefault({ system_admin, email_key }: User): boolean {
  return system_admin === 1 && email_key === emailKey(firstUserEmail);
}

function isWithoutPassword(user: User): boolean {
  return user.password_state === "none" && user.activated_at === null;
}

function identityOf(user: User): Identity {
  return {
    oid: user.oid,
    ...(user.email === "" ? {} : { email: user.email }),
    displayName: user.display_name,
    ...given({ firstName: user.first_name ?? undefined, lastName: user.last_name ?? undefined }),
    systemAdmin: user.system_admin === 1,
    created_at: user.created_at,
  };
}
