import type { PasswordChange } from "#contract/access/identity.ts";
import { Refusal } from "#contract/problems.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Limits } from "../../kit/limits.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Mailer } from "../../kit/mail/mail.ts";
import type { Principal } from "../../work/caller.ts";
import type { ChangeNote, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import {
  endTokens,
  passwordFault,
  updateUser,
  userByEmail,
  userByOid,
  type Passwords,
  type User,
} from "../identity/service.ts";
import type { AccessService, Invitations } from "../members/service.ts";
import { deleteExpired, deleteSession, deleteSessionsOf, insertRow, rowByHash } from "./store.ts";
import { randomToken, tokenDigest, type Secrets } from "../secrets/service.ts";
import type { Attempts } from "./attempts.ts";
import type { Client, SignInApps } from "./clients.ts";
import { Devices } from "./devices.ts";
import { Grants } from "./grants.ts";
import type { Factors, Passkeys, Site } from "../factors/service.ts";
import { PasswordResets } from "./password-resets.ts";
import { attemptKey, AttemptTurns, tooManyAttempts } from "./password-throttle.ts";
import { Tickets } from "./tickets.ts";
import { noteGrantUse, revokeGrantsOf, type TokenService } from "../tokens/service.ts";

export type { Accounts } from "./accounts.ts";
export { discoveryDocument } from "./discovery.ts";

const sessionLifetimeMs = 12 * 60 * 60 * 1000;
const cleaningIntervalMs = 60 * 60 * 1000;
/** Number of rows of each table that one transaction removes. */
const cleaningLimit = 1_000;
/** Used codes and tokens stay so long after their end, so that a replay is noticed. */
const keptAfterEndMs = 24 * 60 * 60 * 1000;

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The caller's network address: attempts are counted per account and address. */
  readonly address: string;
}

/** The password is correct; the user must show a second factor, or add the first one. */
export interface FactorStep {
  readonly result: "show-factor" | "add-factor";
  readonly user: User;
  readonly ticket: string;
  /** Why the last try did not count. */
  readonly fault?: string;
  /** Milliseconds until the next try, after too many wrong codes. */
  readonly waitMs?: number;
}

export type SignInOutcome =
  | { readonly result: "signed-in"; readonly user: User; readonly signedInAt: string }
  /** The one-time password is correct; the user must choose a password now. */
  | { readonly result: "choose-password"; readonly ticket: string }
  | FactorStep
  | { readonly result: "wrong" }
  | { readonly result: "wait"; readonly waitMs: number };

export type ChoiceOutcome =
  | SignInOutcome
  | { readonly result: "refused"; readonly fault: string; readonly ticket: string };

export interface BrowserSession {
  readonly user: User;
  readonly signedInAt: string;
}

/** Sign-in at this platform: passwords, browser sessions, codes, tokens and devices. */
export class SignInService {
  /** Work of the pages, over the rows of all workspaces; their transactions have no entry. */
  readonly work: Work;
  readonly tokens: TokenService;
  readonly grants: Grants;
  readonly devices: Devices;
  readonly resets: PasswordResets;
  readonly passwords: Passwords;
  readonly apps: SignInApps;
  readonly invitations: Invitations;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  readonly limits: Limits;
  readonly formKey: Uint8Array;
  readonly now: () => Date;
  readonly #tickets: Tickets;
  readonly #attempts: Attempts;
  readonly #turns: AttemptTurns;

  readonly #access: Pick<AccessService, "isMemberNear">;

  constructor(options: {
    platformWork: PlatformWork;
    access: Pick<AccessService, "isMemberNear">;
    tokens: TokenService;
    passwords: Passwords;
    apps: SignInApps;
    secrets: Secrets;
    limits: Limits;
    now: () => Date;
    lifetime: Lifetime;
    invitations: Invitations;
    factors: Factors;
    passkeys: Passkeys;
    attempts: Attempts;
    logger: Logger;
    /** Undefined without a mail server. */
    mailer: Mailer | undefined;
    configuredUrl: () => string | undefined;
  }) {
    const { tokens, now, limits } = options;
    const work = (this.work = options.platformWork("pages of the sign-in"));
    this.#access = options.access;
    this.tokens = tokens;
    this.passwords = options.passwords;
    this.apps = options.apps;
    this.invitations = options.invitations;
    this.factors = options.factors;
    this.passkeys = options.passkeys;
    this.limits = limits;
    this.now = now;
    this.formKey = options.secrets.for("sign-in forms");
    this.#tickets = new Tickets({
      read: work.read,
      now,
      key: options.secrets.for("sign-in tickets"),
    });
    this.#attempts = options.attempts;
    this.#turns = new AttemptTurns(limits.passwordAttempts);
    this.resets = new PasswordResets({ ...options, read: work.read, tickets: this.#tickets });
    const refreshLifetimeMs = limits.refreshTokenSeconds * 1000;
    const { factors } = options;
    this.grants = new Grants({ work, tokens, now, refreshLifetimeMs, factors });
    this.devices = new Devices({ work, grants: this.grants, now });
    options.lifetime.every(cleaningIntervalMs, "sign-in-cleaning-failed", () => this.clean());
  }

  signIn(credentials: Credentials): Promise<SignInOutcome> {
    const key = attemptKey(credentials);
    return this.#turns.run(key, () => this.#attempt(key, credentials));
  }

  async #attempt(key: string, { email, password, address }: Credentials): Promise<SignInOutcome> {
    const waitMs = await this.#attempts.begin(key);
    if (waitMs > 0) return { result: "wait", waitMs };
    const user = await userByEmail(this.work.read, email);
    const hash = user === undefined || this.#isPasswordExpired(user) ? null : user.password_hash;
    const isCorrect = await this.passwords.verify(password, hash, address);
    // A disabled account answers like a wrong password.
    if (!isCorrect || user === undefined || user.disabled_at !== null) {
      await this.#attempts.fail(key);
      return { result: "wrong" };
    }
    const lateMs = await this.#attempts.succeed(key);
    if (lateMs > 0) return { result: "wait", waitMs: lateMs };
    if (user.password_state !== "one-time") return this.#withPassword(user);
    return { result: "choose-password", ticket: this.#tickets.issue("choose-password", user) };
  }

  /** Replaces the one-time password that the ticket proves. */
  async choosePassword(ticket: string, password: string): Promise<ChoiceOutcome> {
    const user = await this.#tickets.holder("choose-password", ticket);
    if (user?.password_state !== "one-time") return { result: "wrong" };
    const fault =
      passwordFault(password, user.email) ??
      ((await this.passwords.verify(password, user.password_hash, user.oid))
        ? "Choose a password that is not the one-time password."
        : undefined);
    if (fault !== undefined) return { result: "refused", fault, ticket };
    await this.setPassword(user.oid, password);
    const present = await userByOid(this.work.read, user.oid);
    return present === undefined ? { result: "wrong" } : this.#withPassword(present);
  }

  /** Replaces the password of the user whom the mailed ticket names, and ends all tokens. */
  async resetPassword(work: Work, ticket: string, password: string): Promise<ChoiceOutcome> {
    const user = await this.resets.holder(ticket);
    if (user === undefined) return { result: "wrong" };
    const { oid, email } = user;
    const fault = passwordFault(password, email);
    if (fault !== undefined) return { result: "refused", fault, ticket };
    await this.setPassword(oid, password, {
      work,
      presentHash: user.password_hash,
      endsTokens: true,
      note: { action: "identity.resetPassword", target: { oid, email } },
    });
    const present = await userByOid(this.work.read, oid);
    return present === undefined ? { result: "wrong" } : this.#withPassword(present);
  }

  /** Ends the sign-in that the ticket began, with a code of an app or a recovery code. */
  async showCode(work: Work, ticket: string, code: string): Promise<SignInOutcome> {
    const user = await this.#tickets.holder("factor", ticket);
    if (user === undefined) return { result: "wrong" };
    const { isCorrect, waitMs } = await this.factors.useCode(work, user.oid, code);
    if (isCorrect) return this.#signedIn(user);
    const fault = "The code is not correct, or it was used before.";
    return { result: "show-factor", user, ticket, fault, waitMs };
  }

  /** The same with the answer of a passkey, as the browser gave it. */
  async showPasskey(
    work: Work,
    ticket: string,
    credential: string,
    site: Site,
  ): Promise<SignInOutcome> {
    const user = await this.#tickets.holder("factor", ticket);
    if (user === undefined) return { result: "wrong" };
    if (await this.passkeys.use(work, user, site, credential)) return this.#signedIn(user);
    const fault = "The passkey did not sign you in. Please try again.";
    return { result: "show-factor", user, ticket, fault };
  }

  /** The user in the middle of a sign-in; undefined once the ticket has ended. */
  factorHolder(ticket: string): Promise<User | undefined> {
    return this.#tickets.holder("factor", ticket);
  }

  /** The end of a sign-in with the first factor, which has just been added. */
  async withFirstFactor(user: User): Promise<BrowserSession> {
    const { signedInAt } = await this.#signedIn(user);
    return { user, signedInAt };
  }

  /** Needs the present password, so that a stolen access token cannot take over the account. */
  async changePassword(
    work: Work,
    principal: Principal,
    { currentPassword, newPassword }: PasswordChange,
    address: string,
  ): Promise<{ oid: string; endedSessions: number }> {
    const { oid, sessionId } = principal;
    const user = await this.requirePassword(oid, currentPassword, address);
    const fault =
      newPassword === currentPassword
        ? "Choose a password that is not the present one."
        : passwordFault(newPassword, user.email);
    if (fault !== undefined) throw invalid([faultAt("body", ["newPassword"], fault)]);
    const ended = await this.setPassword(oid, newPassword, {
      work,
      keptGrantId: sessionId,
      presentHash: user.password_hash,
    });
    return { oid, endedSessions: ended };
  }

  /** The user with this present password, so that a stolen access token is not enough. */
  async requirePassword(oid: string, currentPassword: string, address: string): Promise<User> {
    const user = await userByOid(this.work.read, oid);
    if (user?.password_state !== "set") {
      throw new Refusal("conflict", {
        detail: "Cannot change this: this account signs in without a password of this platform",
      });
    }
    const key = attemptKey({ email: user.email, address });
    const waitMs = await this.#attempts.begin(key);
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    if (!(await this.passwords.verify(currentPassword, user.password_hash, oid))) {
      await this.#attempts.fail(key);
      throw invalid([faultAt("body", ["currentPassword"], "is not correct")]);
    }
    const lateMs = await this.#attempts.succeed(key);
    if (lateMs > 0) throw tooManyAttempts(lateMs);
    return user;
  }

  /** Notes when and from what program a grant was last used, for the user's list of sessions. */
  async noteUse(grantId: string, userAgent: string | null): Promise<void> {
    const device = userAgent === null ? null : shortText(userAgent);
    const use = { device, last_used_at: this.now().toISOString() };
    await this.work.write((tx) => noteGrantUse(tx, grantId, use));
  }

  /** Ends the sessions and grants of the user too, except one; returns the number of grants. */
  async setPassword(
    oid: string,
    password: string,
    change: {
      /** Work of a request; that of the pages by default. */
      readonly work?: Work;
      readonly keptGrantId?: string | undefined;
      /** Refuses 409 if another request has changed the password since. */
      readonly presentHash?: string | null;
      /** Ends also the tokens that belong to no sign-in. */
      readonly endsTokens?: boolean;
      readonly note?: ChangeNote;
    } = {},
  ): Promise<number> {
    const { work = this.work, keptGrantId, presentHash } = change;
    const hash = await this.passwords.hash(password, oid);
    const now = this.now().toISOString();
    return work.write(async (tx) => {
      const present = await userByOid(tx, oid);
      if (presentHash !== undefined && present?.password_hash !== presentHash) {
        throw new Refusal("conflict", { detail: "Another request has changed the password" });
      }
      await updateUser(tx, oid, {
        password_hash: hash,
        password_state: "set",
        password_expires_at: null,
        updated_at: now,
      });
      if (change.endsTokens === true) await endTokens(tx, oid, { updated_at: now });
      if (change.note !== undefined) tx.note(change.note);
      await deleteSessionsOf(tx, oid);
      return revokeGrantsOf(tx, oid, now, keptGrantId);
    });
  }

  /** The first sign-in of an account that has just been made. */
  async firstSession(user: User): Promise<BrowserSession> {
    const { signedInAt } = await this.#signedIn(user);
    return { user, signedInAt };
  }

  /** Returns the cookie value of a new browser session. */
  async startSession(user: User, signedInAt: string): Promise<string> {
    const id = randomToken();
    await this.work.write((tx) =>
      insertRow(tx, "sessions", {
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
    const { read } = this.work;
    const session = await rowByHash(read, "sessions", tokenDigest(id));
    if (session === undefined || session.expires_at <= this.now().toISOString()) return undefined;
    const user = await userByOid(read, session.oid);
    if (user === undefined || user.disabled_at !== null) return undefined;
    // The platform's rule may be newer than the session, or the user's role.
    if (await this.factors.isMissing(user)) return undefined;
    return { user, signedInAt: session.signed_in_at };
  }

  /** True if the user may sign in to a client: an app is for members near its workspace. */
  async mayUse({ workspaceId }: Client, user: User): Promise<boolean> {
    if (workspaceId === undefined) return true;
    return this.#access.isMemberNear(workspaceId, user.oid);
  }

  async endSession(id: string): Promise<void> {
    await this.work.write((tx) => deleteSession(tx, tokenDigest(id)));
  }

  async clean(): Promise<void> {
    const before = new Date(this.now().getTime() - keptAfterEndMs).toISOString();
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.work.write((tx) => deleteExpired(tx, before, cleaningLimit));
    }
  }

  /** The step after a correct password: a second factor for an account that has or needs one. */
  async #withPassword(user: User): Promise<SignInOutcome> {
    const hasFactor = (await this.factors.active(user.oid)).length > 0;
    if (!hasFactor && !(await this.factors.requires(user))) return this.#signedIn(user);
    const ticket = this.#tickets.issue("factor", user);
    return { result: hasFactor ? "show-factor" : "add-factor", user, ticket };
  }

  #isPasswordExpired(user: User): boolean {
    const end = user.password_expires_at;
    return end !== null && end <= this.now().toISOString();
  }

  async #signedIn(user: User): Promise<Extract<SignInOutcome, { readonly result: "signed-in" }>> {
    const signedInAt = this.now().toISOString();
    if (user.activated_at === null) {
      await this.work.write((tx) =>
        updateUser(tx, user.oid, { activated_at: signedInAt, updated_at: signedInAt }),
      );
    }
    return { result: "signed-in", user, signedInAt };
  }
}

const longestDevice = 200;

/** The text of a header for a list. */
function shortText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "").slice(0, longestDevice);
}
