import type { Identity } from "#contract/identity.ts";
import { Refusal } from "#contract/problems.ts";
import { emailKey } from "#lib/email-address.ts";
import type { Principal } from "../../http/handler.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Promisable } from "../../kit/promisable.ts";
import { oneTimePassword, type Passwords } from "./passwords.ts";
import {
  firstSystemAdmin,
  insertUser,
  localIssuer,
  updateUser,
  userByEmail,
  userByOid,
  userBySubject,
  type User,
} from "./store.ts";

export { minimumPasswordLength, passwordFault, type Passwords } from "./passwords.ts";
export { emailKey } from "#lib/email-address.ts";
export {
  endTokens,
  firstSystemAdmin,
  hasOtherSystemAdmin,
  updateUser,
  userByEmail,
  userByOid,
  type User,
} from "./store.ts";

type UserChanges = Partial<Omit<User, "oid">>;

export const firstUserEmail = "admin@localhost";

/** Users by id, kept in memory. Call `forgetUser` after a change, before it is answered. */
export interface UserCache {
  user(oid: string): Promisable<User | undefined>;
  forgetUser(oid: string): void;
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

export interface OneTimePassword {
  readonly password: string;
  readonly hash: string;
}

/** Users of the installation (spec 4.4). */
export class IdentityService {
  constructor(
    private readonly parts: {
      readonly database: Database;
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

  async updateProfile(principal: Principal, changes: ProfileChanges): Promise<Identity> {
    const { displayName, firstName, lastName } = changes;
    const user = await this.parts.database.write(async (writer) => {
      await this.#update(writer, principal.oid, {
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(firstName === undefined ? {} : { first_name: firstName }),
        ...(lastName === undefined ? {} : { last_name: lastName }),
      });
      const changed = await userByOid(writer, principal.oid);
      if (changed !== undefined) await this.parts.onRenamed(writer, changed);
      return changed;
    });
    this.parts.access.forgetUser(principal.oid);
    return identityOf(presentUser(user));
  }

  /** The installation's first user. The first start creates it, without a password. */
  async ensureFirstUser(first: NewUser): Promise<User> {
    const present = await firstSystemAdmin(this.parts.database.read);
    if (present !== undefined) return present;
    const row = this.#newUser({ ...first, isSystemAdmin: true });
    return this.parts.database.write(async (writer) => {
      const other = await firstSystemAdmin(writer);
      if (other === undefined) await insertUser(writer, row);
      return other ?? row;
    });
  }

  /**
   * The first user's one-time password; undefined once it was issued or the user has signed in. A
   * start must ask for it last, because a failed start must not use it up.
   */
  async issueFirstPassword(): Promise<{ email: string; oneTimePassword: string } | undefined> {
    const present = await firstSystemAdmin(this.parts.database.read);
    if (present === undefined || !isWithoutPassword(present)) return undefined;
    const { password, hash } = await this.#oneTimePassword();
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
  async addUser(writer: Writer, user: NewUser, passwordHash?: string): Promise<User | undefined> {
    const row = this.#newUser(user);
    const withPassword: User =
      passwordHash === undefined
        ? row
        : { ...row, password_hash: passwordHash, password_state: "set" };
    return (await insertUser(writer, withPassword)) ? withPassword : undefined;
  }

  /**
   * The user of another issuer's token, created at the first request. An invited user is linked
   * only by a verified address and before its first sign-in; an unverified address could be
   * anyone's.
   */
  async externalUser(identity: ExternalIdentity): Promise<User> {
    const { issuer, subject } = identity;
    const present = await userBySubject(this.parts.database.read, issuer, subject);
    if (present !== undefined) return present;
    const now = this.parts.now().toISOString();
    const email = identity.email ?? "";
    const user = await this.parts.database.write(async (writer) => {
      const other = await userBySubject(writer, issuer, subject);
      if (other !== undefined) return other;
      const invited =
        identity.isEmailVerified && email !== "" ? await userByEmail(writer, email) : undefined;
      if (invited !== undefined && invited.activated_at === null) {
        await this.#update(writer, invited.oid, {
          issuer,
          subject,
          password_hash: null,
          password_state: "none",
          activated_at: now,
        });
        return userByOid(writer, invited.oid);
      }
      const row = this.#newUser({ email, displayName: identity.displayName });
      // No one is found by an address that the provider has not verified.
      const email_key = identity.isEmailVerified ? row.email_key : "";
      const fresh = { ...row, email_key, issuer, subject, activated_at: now };
      return (await insertUser(writer, fresh)) ? fresh : userBySubject(writer, issuer, subject);
    });
    this.parts.access.forgetUser(presentUser(user).oid);
    return presentUser(user);
  }

  /** The first user if it was changed; undefined where `condition` does not hold for it. */
  async #changeFirstUser(
    condition: (first: User) => boolean,
    changes: UserChanges,
  ): Promise<User | undefined> {
    const user = await this.parts.database.write(async (writer) => {
      const first = await firstSystemAdmin(writer);
      if (first === undefined || !condition(first)) return undefined;
      await this.#update(writer, first.oid, changes);
      return first;
    });
    if (user !== undefined) this.parts.access.forgetUser(user.oid);
    return user;
  }

  #update(writer: Writer, oid: string, changes: UserChanges): Promise<void> {
    return updateUser(writer, oid, { ...changes, updated_at: this.parts.now().toISOString() });
  }

  async #oneTimePassword(): Promise<OneTimePassword> {
    const password = oneTimePassword();
    return { password, hash: await this.parts.passwords.hash(password, "one-time passwords") };
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
    ...(cause === undefined ? {} : { cause }),
  });
}

function isWithoutPassword(user: User): boolean {
  return user.password_state === "none" && user.activated_at === null;
}

function identityOf(user: User): Identity {
  return {
    oid: user.oid,
    ...(user.email === "" ? {} : { email: user.email }),
    displayName: user.display_name,
    ...(user.first_name === null ? {} : { firstName: user.first_name }),
    ...(user.last_name === null ? {} : { lastName: user.last_name }),
    systemAdmin: user.system_admin === 1,
    created_at: user.created_at,
  };
}
