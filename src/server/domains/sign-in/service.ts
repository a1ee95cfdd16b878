import { createHmac } from "node:crypto";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Limits } from "../../kit/limits.ts";
import type { Database } from "../../database/database.ts";
import {
  passwordFault,
  updateUser,
  userByEmail,
  userByOid,
  type Passwords,
  type User,
  type UserCache,
} from "../identity/service.ts";
import {
  deleteExpired,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  sessionByHash,
} from "./store.ts";
import { equalSecrets, randomToken, tokenDigest, type Secrets } from "../secrets/service.ts";
import { Devices } from "./devices.ts";
import { Grants } from "./grants.ts";
import { Throttle } from "./password-throttle.ts";
import { revokeGrantsOf, type TokenService } from "../tokens/service.ts";

const sessionLifetimeMs = 12 * 60 * 60 * 1000;
const ticketLifetimeMs = 10 * 60 * 1000;
const cleaningIntervalMs = 60 * 60 * 1000;
/** Of each kind of what has ended, those that one unit removes. */
const cleaningLimit = 1_000;
/** Used codes and tokens stay on record this long after their end, so that a replay is seen. */
const keptAfterEndMs = 24 * 60 * 60 * 1000;

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Where the attempt comes from: waits are counted for account and address together. */
  readonly address: string;
}

/** What became of a sign-in attempt. */
export type SignInOutcome =
  | { readonly result: "signed-in"; readonly user: User; readonly signedInAt: string }
  /** The one-time password fits: a password has to be chosen now. */
  | { readonly result: "choose-password"; readonly ticket: string }
  | { readonly result: "wrong" }
  | { readonly result: "wait"; readonly waitMs: number };

export type ChoiceOutcome =
  | SignInOutcome
  | { readonly result: "refused"; readonly fault: string; readonly ticket: string };

export interface BrowserSession {
  readonly user: User;
  readonly signedInAt: string;
}

/** People signing in at this platform: passwords, browser sessions, codes, tokens and devices. */
export class SignInService {
  readonly tokens: TokenService;
  readonly grants: Grants;
  readonly devices: Devices;
  readonly passwords: Passwords;
  readonly limits: Limits;
  /** Signs the pages' forms. */
  readonly formKey: Uint8Array;
  readonly now: () => Date;
  readonly #database: Database;
  readonly #access: Pick<UserCache, "forgetUser">;
  readonly #ticketKey: Uint8Array;
  readonly #throttle: Throttle;

  constructor(options: {
    database: Database;
    access: Pick<UserCache, "forgetUser">;
    tokens: TokenService;
    passwords: Passwords;
    secrets: Secrets;
    limits: Limits;
    now: () => Date;
    lifetime: Lifetime;
  }) {
    const { database, tokens, now, limits } = options;
    this.#database = database;
    this.#access = options.access;
    this.tokens = tokens;
    this.passwords = options.passwords;
    this.limits = limits;
    this.now = now;
    this.formKey = options.secrets.for("sign-in forms");
    this.#ticketKey = options.secrets.for("password tickets");
    this.#throttle = new Throttle(limits.passwordAttempts, () => now().getTime());
    const refreshLifetimeMs = limits.refreshTokenSeconds * 1000;
    this.grants = new Grants({ database, tokens, now, refreshLifetimeMs });
    this.devices = new Devices({ database, grants: this.grants, now });
    options.lifetime.every(cleaningIntervalMs, "sign-in-cleaning-failed", () => this.clean());
  }

  async signIn(credentials: Credentials): Promise<SignInOutcome> {
    const attempt = await this.#attempt(credentials);
    if (attempt.result !== "fits") return attempt;
    const { user } = attempt;
    if (user.password_state !== "one-time") return this.#signedIn(user);
    return { result: "choose-password", ticket: this.#ticket(user, this.#ticketEnd()) };
  }

  /** Sets the password of somebody who has just shown a one-time password, which ends with it. */
  async choosePassword(ticket: string, chosen: string): Promise<ChoiceOutcome> {
    const user = await this.#ticketHolder(ticket);
    if (user === undefined) return { result: "wrong" };
    const fault =
      passwordFault(chosen, user.email) ??
      ((await this.passwords.verify(chosen, user.password_hash))
        ? "Choose another password than the one-time password."
        : undefined);
    if (fault !== undefined) return { result: "refused", fault, ticket };
    await this.setPassword(user.oid, chosen);
    return this.#signedIn(user);
  }

  /** Whatever was signed in with the old password ends. */
  async setPassword(oid: string, password: string): Promise<void> {
    const hash = await this.passwords.hash(password);
    const now = this.now().toISOString();
    const revoked = await this.#database.write(async (writer) => {
      await updateUser(writer, oid, {
        password_hash: hash,
        password_state: "set",
        password_expires_at: null,
        updated_at: now,
      });
      await deleteSessionsOf(writer, oid);
      return revokeGrantsOf(writer, oid, now);
    });
    for (const grantId of revoked) this.tokens.forgetGrant(grantId);
    this.#access.forgetUser(oid);
  }

  /** A new browser session's cookie value. */
  async startSession(user: User, signedInAt: string): Promise<string> {
    const id = randomToken();
    await this.#database.write((writer) =>
      insertSession(writer, {
        id_hash: tokenDigest(id),
        oid: user.oid,
        signed_in_at: signedInAt,
        expires_at: new Date(this.now().getTime() + sessionLifetimeMs).toISOString(),
      }),
    );
    return id;
  }

  async session(id: string | undefined): Promise<BrowserSession | undefined> {
    if (id === undefined || id === "") return undefined;
    const { read } = this.#database;
    const session = await sessionByHash(read, tokenDigest(id));
    if (session === undefined || session.expires_at <= this.now().toISOString()) return undefined;
    const user = await userByOid(read, session.oid);
    return user === undefined ? undefined : { user, signedInAt: session.signed_in_at };
  }

  async endSession(id: string): Promise<void> {
    await this.#database.write((writer) => deleteSession(writer, tokenDigest(id)));
  }

  async clean(): Promise<void> {
    const before = new Date(this.now().getTime() - keptAfterEndMs).toISOString();
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.#database.write((writer) => deleteExpired(writer, before, cleaningLimit));
    }
  }

  async #attempt(
    credentials: Credentials,
  ): Promise<Exclude<SignInOutcome, { result: "signed-in" | "choose-password" }> | Fits> {
    // A digest, since thousands are remembered and an address that is typed may be of any length.
    const key = tokenDigest(`${credentials.email.trim().toLowerCase()} ${credentials.address}`);
    const waitMs = this.#throttle.waitMs(key);
    if (waitMs > 0) return { result: "wait", waitMs };
    this.#throttle.begin(key);
    const user = await userByEmail(this.#database.read, credentials.email);
    const hash = user === undefined || this.#isOver(user) ? null : user.password_hash;
    const fits = await this.passwords.verify(credentials.password, hash);
    if (!fits || user === undefined) return { result: "wrong" };
    this.#throttle.succeed(key);
    return { result: "fits", user };
  }

  /** Proof of a one-time password that was right: void once the password is another one. */
  #ticket(user: User, end: string): string {
    const mac = createHmac("sha256", this.#ticketKey)
      .update(JSON.stringify([user.oid, end, user.password_hash]))
      .digest("base64url");
    return `${user.oid}.${end}.${mac}`;
  }

  #ticketEnd(): string {
    return String(this.now().getTime() + ticketLifetimeMs);
  }

  async #ticketHolder(ticket: string): Promise<User | undefined> {
    const [oid = "", end = ""] = ticket.split(".");
    const user = await userByOid(this.#database.read, oid);
    if (user?.password_state !== "one-time") return undefined;
    if (!(Number(end) > this.now().getTime())) return undefined;
    return equalSecrets(ticket, this.#ticket(user, end)) ? user : undefined;
  }

  #isOver(user: User): boolean {
    const end = user.password_expires_at;
    return end !== null && end <= this.now().toISOString();
  }

  async #signedIn(user: User): Promise<SignInOutcome> {
    const signedInAt = this.now().toISOString();
    if (user.activated_at === null) {
      await this.#database.write((writer) =>
        updateUser(writer, user.oid, { activated_at: signedInAt, updated_at: signedInAt }),
      );
      this.#access.forgetUser(user.oid);
    }
    return { result: "signed-in", user, signedInAt };
  }
}

interface Fits {
  readonly result: "fits";
  readonly user: User;
}
