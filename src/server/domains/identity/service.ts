import type { Identity, Membership } from "#contract/identity.ts";
import { roles, type Role } from "#contract/roles.ts";
import type { Principal } from "../../http/handler.ts";
import type { Database } from "../../database/database.ts";
import {
  emailKey,
  firstSystemAdmin,
  insertUser,
  localIssuer,
  updateUser,
  userByEmail,
  userByOid,
  userBySubject,
  type User,
} from "./store.ts";
import { workspacesOf, type WorkspaceWithRole } from "../workspaces/store.ts";
import type { AccessService } from "../workspaces/access.ts";
import { oneTimePassword, type Passwords } from "./passwords.ts";
import type { ExternalIdentity } from "../tokens/external-issuer.ts";
import { invalidToken } from "../tokens/refusals.ts";

/** More workspaces than a person can look through; the list has no pages in the interface. */
export const maximumMemberships = 5_000;
const oneTimePasswordLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export const firstUserEmail = "admin@localhost";

export interface ProfileChanges {
  readonly displayName?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** A person to be, as an invitation or the first start names one. */
export interface NewUser {
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly isSystemAdmin?: boolean;
}

/** Users of the installation, and what they see of themselves (spec 4.4). */
export class IdentityService {
  readonly #database: Database;
  readonly #access: AccessService;
  readonly #passwords: Passwords;
  readonly #now: () => Date;

  constructor(options: {
    database: Database;
    access: AccessService;
    passwords: Passwords;
    now: () => Date;
  }) {
    this.#database = options.database;
    this.#access = options.access;
    this.#passwords = options.passwords;
    this.#now = options.now;
  }

  async me(principal: Principal): Promise<Identity> {
    const user = await this.#access.user(principal.oid);
    if (user === undefined) throw invalidToken();
    return identityOf(user);
  }

  /** Roots first, then by depth and slug. */
  async memberships(principal: Principal): Promise<Membership[]> {
    const rows = await workspacesOf(this.#database.read, principal.oid, maximumMemberships);
    return rows.map(membershipOf);
  }

  async updateProfile(principal: Principal, changes: ProfileChanges): Promise<Identity> {
    const { displayName, firstName, lastName } = changes;
    const user = await this.#database.write(async (writer) => {
      await updateUser(writer, principal.oid, {
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(firstName === undefined ? {} : { first_name: firstName }),
        ...(lastName === undefined ? {} : { last_name: lastName }),
        updated_at: this.#now().toISOString(),
      });
      return userByOid(writer, principal.oid);
    });
    this.#access.forgetUser(principal.oid);
    if (user === undefined) throw invalidToken();
    return identityOf(user);
  }

  /** The installation's first user; made on the first start, and with no password yet. */
  async ensureFirstUser(wanted: {
    readonly email: string;
    readonly displayName: string;
  }): Promise<User> {
    const row = this.newUserRow({ ...wanted, isSystemAdmin: true }, undefined);
    const known = await firstSystemAdmin(this.#database.read);
    if (known !== undefined) return known;
    return this.#database.write(async (writer) => {
      const first = await firstSystemAdmin(writer);
      if (first === undefined) await insertUser(writer, row);
      return first ?? row;
    });
  }

  /**
   * The first user's one-time password, for an operator who is about to see it; undefined once one
   * was given, or the first user has signed in. Asked for last of all that a start does: a start
   * that fails must not use it up.
   */
  async issueFirstPassword(): Promise<{ email: string; oneTimePassword: string } | undefined> {
    const { read } = this.#database;
    const known = await firstSystemAdmin(read);
    if (known === undefined || !isWithoutPassword(known)) return undefined;
    const { password, hash } = await this.prepareOneTimePassword();
    const user = await this.#database.write(async (writer) => {
      const first = await firstSystemAdmin(writer);
      if (first === undefined || !isWithoutPassword(first)) return undefined;
      await updateUser(writer, first.oid, {
        password_hash: hash,
        password_state: "one-time",
        // It is shown on the operator's own terminal only, and may be needed much later.
        password_expires_at: null,
        updated_at: this.#now().toISOString(),
      });
      return first;
    });
    if (user === undefined) return undefined;
    this.#access.forgetUser(user.oid);
    return { email: user.email, oneTimePassword: password };
  }

  /** Takes back a first password that nobody could see; a later start issues another. */
  async withdrawFirstPassword(): Promise<void> {
    const user = await this.#database.write(async (writer) => {
      const first = await firstSystemAdmin(writer);
      if (first?.password_state !== "one-time" || first.activated_at !== null) return undefined;
      await updateUser(writer, first.oid, {
        password_hash: null,
        password_state: "none",
        updated_at: this.#now().toISOString(),
      });
      return first;
    });
    if (user !== undefined) this.#access.forgetUser(user.oid);
  }

  /** Hashed before the write unit, which must wait for nothing. */
  async prepareOneTimePassword(): Promise<{ password: string; hash: string }> {
    const password = oneTimePassword();
    return { password, hash: await this.#passwords.hash(password) };
  }

  oneTimePasswordEnd(): string {
    return new Date(this.#now().getTime() + oneTimePasswordLifetimeMs).toISOString();
  }

  newUserRow(wanted: NewUser, passwordHash: string | undefined): User {
    const oid = Bun.randomUUIDv7();
    const now = this.#now().toISOString();
    const { email, firstName, lastName } = wanted;
    const fullName = [firstName, lastName].filter((name) => (name ?? "") !== "").join(" ");
    return {
      oid,
      issuer: localIssuer,
      subject: oid,
      email,
      email_key: emailKey(email),
      display_name: wanted.displayName ?? (fullName === "" ? email : fullName),
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      password_hash: passwordHash ?? null,
      password_state: passwordHash === undefined ? "none" : "one-time",
      password_expires_at: passwordHash === undefined ? null : this.oneTimePasswordEnd(),
      system_admin: wanted.isSystemAdmin === true ? 1 : 0,
      activated_at: null,
      created_at: now,
      updated_at: now,
    };
  }

  /**
   * The user behind another issuer's token, made at first sight. An invitation is taken over only
   * by an address that the issuer says it has verified, and only while nobody has used it: linking
   * by a mere address would hand accounts to whoever claims it.
   */
  async externalUser(identity: ExternalIdentity): Promise<User> {
    const { issuer, subject } = identity;
    const known = await userBySubject(this.#database.read, issuer, subject);
    if (known !== undefined) return known;
    const now = this.#now().toISOString();
    const email = identity.email ?? "";
    const user = await this.#database.write(async (writer) => {
      const present = await userBySubject(writer, issuer, subject);
      if (present !== undefined) return present;
      const invited =
        identity.isEmailVerified && email !== "" ? await userByEmail(writer, email) : undefined;
      if (invited !== undefined && invited.activated_at === null) {
        await updateUser(writer, invited.oid, {
          issuer,
          subject,
          password_hash: null,
          password_state: "none",
          activated_at: now,
          updated_at: now,
        });
        return userByOid(writer, invited.oid);
      }
      const row = this.newUserRow({ email, displayName: identity.displayName }, undefined);
      const fresh = { ...row, issuer, subject, activated_at: now };
      return (await insertUser(writer, fresh)) ? fresh : userBySubject(writer, issuer, subject);
    });
    if (user === undefined) throw invalidToken();
    this.#access.forgetUser(user.oid);
    return user;
  }
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

/** A stored role; the lowest one for a text that is none, which only a damaged row has. */
export function roleNamed(text: string): Role {
  return roles.find((role) => role === text) ?? "tenant-viewer";
}

/** A membership as the wire has it. */
export function membershipOf(row: WorkspaceWithRole): Membership {
  return {
    id: row.id,
    slug: row.slug,
    displayName: row.display_name,
    parentId: row.parent_id,
    role: roleNamed(row.role),
    homeRegion: row.home_region,
    usecase: row.usecase,
    domain: row.domain,
    industry: row.industry,
    starterTemplate: row.starter_template,
    created_at: row.created_at,
  };
}
