import { randomBytes } from "node:crypto";
import type { AddedFactor, ConfirmedFactor, Factor, FactorList } from "#contract/access/factors.ts";
import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Writer } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { ChangeNote, Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { User } from "../identity/service.ts";
import type { AccessService } from "../members/service.ts";
import type { Secrets } from "../secrets/service.ts";
import {
  newFactor,
  activateFactor,
  countCodes,
  deleteCodes,
  deleteEnded,
  deleteFactor,
  deleteFactorsOf,
  deletePending,
  factorsOf,
  insertCodes,
  insertFactor,
  isUnusedCode,
  lockFactors,
  useRecoveryCode,
  useStep,
  type FactorRow,
} from "./store.ts";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { appUri, base32, matchingStep, secretBytes } from "./totp.ts";

export { Passkeys } from "./passkeys.ts";
export { canHavePasskeys, siteOf, type Site } from "./site.ts";

const maximumFactors = 10;
const cleaningIntervalMs = 60 * 60 * 1000;
const cleaningLimit = 1_000;

/** `administrators`: those of the installation, and of any workspace. */
export type FactorRule = "administrators" | "everyone";

/** Slows down guessing; the throttle of the passwords, with its own keys. */
export interface Attempts {
  /** Begins an attempt and returns 0, or returns the milliseconds until the next one. */
  begin(name: string): Promise<number>;
  fail(name: string): Promise<void>;
  /** The milliseconds to wait if others that ran meanwhile have failed too often; else 0. */
  succeed(name: string): Promise<number>;
}

/** Says if a typed code counts, and how long the next try must wait if not. */
export interface CodeCheck {
  readonly isCorrect: boolean;
  readonly waitMs: number;
}

/** An app that waits for its first code. */
export interface PendingApp {
  readonly factorId: string;
  readonly secret: string;
  readonly uri: string;
}

interface NewApp {
  /** The host of the platform's address: an app tells platforms apart by it. */
  readonly host: string;
  readonly name?: string | undefined;
}

/** Second factors of the accounts that sign in here: apps with codes, and recovery codes. */
export class Factors {
  readonly #codeKey: Uint8Array;
  /** For reads, which may come before the sign-in, and for the cleaning. */
  readonly #work: Work;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly access: Pick<AccessService, "isAdminAnywhere">;
      readonly secrets: Secrets;
      readonly attempts: Attempts;
      readonly now: () => Date;
      readonly lifetime: Lifetime;
      /** Ends the browser sessions that began without the first factor. */
      readonly endSessions: (writer: Writer, oid: string) => Promise<void>;
      /** The accounts that must have a factor; undefined for none. */
      readonly rule: FactorRule | undefined;
    },
  ) {
    this.#work = parts.platformWork("second factors");
    this.#codeKey = parts.secrets.for("recovery codes");
    parts.lifetime.every(cleaningIntervalMs, "factor-cleaning-failed", () => this.clean());
  }

  /** True if the platform's rule asks this account for a second factor. */
  async requires(user: User): Promise<boolean> {
    const { rule } = this.parts;
    // Users of another provider sign in there.
    if (rule === undefined || user.issuer !== "") return false;
    if (rule === "everyone" || user.system_admin === 1) return true;
    return this.parts.access.isAdminAnywhere(user.oid);
  }

  /** True if the account must add a factor before it may sign in. */
  async isMissing(user: User): Promise<boolean> {
    return (await this.requires(user)) && (await this.active(user.oid)).length === 0;
  }

  async list(user: User): Promise<FactorList> {
    const { read } = this.#work;
    const { oid } = user;
    const rows = await factorsOf(read, oid, this.#now());
    const items = rows.map(factorOf);
    return {
      items,
      page: 1,
      limit: maximumFactors,
      hasNextPage: false,
      recoveryCodesLeft: await countCodes(read, oid),
      required: await this.requires(user),
    };
  }

  /** The factors that a sign-in asks for; none for an account with a password only. */
  async active(oid: string): Promise<FactorRow[]> {
    const rows = await factorsOf(this.#work.read, oid, this.#now());
    return rows.filter(({ state }) => state === "active");
  }

  /** Removes every factor and code of a user; returns how many active factors there were. */
  removeAll(tx: Transaction, oid: string): Promise<number> {
    return deleteFactorsOf(tx, oid);
  }

  /** A new app, in place of one that waits for its first code. */
  async addApp(work: Work, user: User, { host, name }: NewApp): Promise<AddedFactor> {
    const { oid } = user;
    const secret = randomBytes(secretBytes);
    const row: FactorRow = {
      ...newFactor(this.parts.now(), { oid, kind: "totp", name: name ?? "Authenticator app" }),
      sealed_secret: this.parts.secrets.seal(secretName(oid), secret.toString("base64url")),
    };
    await work.write(async (tx) => {
      await this.insert(tx, row);
      tx.note({ action: "factors.add", target: { factorId: row.id, kind: row.kind } });
    });
    const { uri } = pendingApp(user, row.id, secret, host);
    return {
      factor: factorOf(row),
      secret: base32(secret),
      uri,
      ...given({ expiresAt: row.expires_at ?? undefined }),
    };
  }

  /** A new app for a page, which shows it until its first code. */
  async addPending(work: Work, user: User, host: string): Promise<PendingApp> {
    const { factor, secret, uri } = await this.addApp(work, user, { host });
    return { factorId: factor.factorId, secret, uri };
  }

  /** The app that waits for its first code; undefined once that was confirmed or has ended. */
  async pending(user: User, id: string, host: string): Promise<PendingApp | undefined> {
    const row = await this.#pendingRow(user.oid, id);
    return row === undefined ? undefined : pendingApp(user, id, this.#secretOf(row), host);
  }

  /** Refuses 422 for a wrong code, and 404 for an app that no longer waits for one. */
  async confirmApp(work: Work, oid: string, id: string, code: string): Promise<ConfirmedFactor> {
    const row = await this.#pendingRow(oid, id);
    if (row === undefined) throw noSuchFactor("no new app with this id waits for its first code");
    const { attempts } = this.parts;
    const key = attemptKey(oid);
    requireNoWait(await attempts.begin(key));
    const secret = this.#secretOf(row);
    const step = matchingStep(secret, spoken(code), { now: this.parts.now(), after: 0 });
    if (step === undefined) {
      await attempts.fail(key);
      throw invalid([faultAt("body", ["code"], "is not the code that the app shows now")]);
    }
    requireNoWait(await attempts.succeed(key));
    return work.write(async (tx) => {
      await lockFactors(tx, oid);
      if (!(await activateFactor(tx, id, step, this.#now()))) {
        throw noSuchFactor("no new app with this id waits for its first code");
      }
      const recoveryCodes = await this.started(tx, oid);
      tx.note({
        action: "factors.confirm",
        target: { factorId: id, kind: row.kind },
        after: { status: "active" },
      });
      const factor = factorOf({ ...row, state: "active", last_used_at: this.#now() });
      return { factor, ...given({ recoveryCodes }) };
    });
  }

  /** The last factor takes the recovery codes with it; refuses 409 where one is required. */
  async remove(
    work: Work,
    user: User,
    id: string,
  ): Promise<{ factorId: string; status: "removed" }> {
    const { oid } = user;
    const isRequired = await this.requires(user);
    await work.write(async (tx) => {
      await lockFactors(tx, oid);
      const rows = await factorsOf(tx, oid, this.#now());
      const row = rows.find((each) => each.id === id);
      if (row === undefined) throw noSuchFactor("you have no second factor with this id");
      const isLast = !rows.some((each) => each.id !== id && each.state === "active");
      if (isRequired && isLast && row.state === "active") {
        throw new Refusal("conflict", {
          detail: "Cannot remove the last second factor: this platform requires one. Add another",
        });
      }
      await deleteFactor(tx, oid, id);
      if (isLast) await deleteCodes(tx, oid);
      tx.note({
        action: "factors.remove",
        target: { factorId: id, kind: row.kind },
        before: { status: row.state },
        after: { status: "removed" },
      });
    });
    return { factorId: id, status: "removed" };
  }

  async renewCodes(work: Work, oid: string): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = await work.write(async (tx) => {
      await lockFactors(tx, oid);
      const rows = await factorsOf(tx, oid, this.#now());
      if (!rows.some(({ state }) => state === "active")) {
        throw new Refusal("conflict", {
          detail: "Cannot make recovery codes: this account has no second factor",
        });
      }
      tx.note({ action: "factors.renewCodes", after: { recoveryCodes: "replaced" } });
      return this.#newCodes(tx, oid);
    });
    return { recoveryCodes };
  }

  /** Uses a code of an app, or a recovery code: each is valid once. */
  async useCode(work: Work, oid: string, typed: string): Promise<CodeCheck> {
    const { attempts } = this.parts;
    const key = attemptKey(oid);
    const waitMs = await attempts.begin(key);
    if (waitMs > 0) return { isCorrect: false, waitMs };
    const code = spoken(typed);
    const isCorrect = /^\d{6}$/.test(code)
      ? await this.#useAppCode(work, oid, code)
      : await this.#useRecoveryCode(work, oid, code);
    if (!isCorrect) await attempts.fail(key);
    const lateMs = isCorrect ? await attempts.succeed(key) : 0;
    return { isCorrect: isCorrect && lateMs === 0, waitMs: lateMs };
  }

  /** Refuses 409 for too many factors, and for a passkey that an account has. */
  async insert(writer: Writer, row: FactorRow): Promise<void> {
    await lockFactors(writer, row.oid);
    await deletePending(writer, row.oid);
    const present = await factorsOf(writer, row.oid, this.#now());
    if (present.length >= maximumFactors) {
      throw new Refusal("conflict", {
        detail: `Cannot add a second factor: an account has at most ${maximumFactors}`,
      });
    }
    if (await insertFactor(writer, row)) return;
    throw new Refusal("conflict", { detail: "Cannot add this passkey: an account has it already" });
  }

  /** Returns recovery codes after an activation, for an account that has none. */
  async started(writer: Writer, oid: string): Promise<string[] | undefined> {
    const rows = await factorsOf(writer, oid, this.#now());
    if (rows.filter(({ state }) => state === "active").length > 1) return undefined;
    await this.parts.endSessions(writer, oid);
    return this.#newCodes(writer, oid);
  }

  async clean(): Promise<void> {
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.#work.write((tx) => deleteEnded(tx, this.#now(), cleaningLimit));
    }
  }

  async #useAppCode(work: Work, oid: string, code: string): Promise<boolean> {
    for (const row of await this.active(oid)) {
      if (row.sealed_secret === null) continue;
      const step = matchingStep(this.#secretOf(row), code, {
        now: this.parts.now(),
        after: row.last_step,
      });
      if (step === undefined) continue;
      return this.#once(work, (tx) => useStep(tx, row.id, step, this.#now()), {
        target: { oid, factorId: row.id, kind: row.kind },
      });
    }
    return false;
  }

  async #useRecoveryCode(work: Work, oid: string, code: string): Promise<boolean> {
    const hash = recoveryCodeHash(this.#codeKey, oid, code);
    if (!(await isUnusedCode(work.read, oid, hash))) return false;
    return this.#once(work, (tx) => useRecoveryCode(tx, oid, hash, this.#now()), {
      action: "factors.useRecoveryCode",
      target: { oid },
    });
  }

  /** False, and nothing is written, if another request was first. */
  async #once(
    work: Work,
    use: (tx: Transaction) => Promise<boolean>,
    note: ChangeNote,
  ): Promise<boolean> {
    try {
      await work.write(async (tx) => {
        if (!(await use(tx))) throw new UsedBefore();
        tx.note(note);
      });
      return true;
    } catch (error) {
      if (error instanceof UsedBefore) return false;
      throw error;
    }
  }

  async #newCodes(writer: Writer, oid: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(this.#codeKey, oid, code));
    await deleteCodes(writer, oid);
    await insertCodes(writer, oid, hashes, this.#now());
    return codes;
  }

  async #pendingRow(oid: string, id: string): Promise<FactorRow | undefined> {
    const rows = await factorsOf(this.#work.read, oid, this.#now());
    return rows.find((row) => row.id === id && row.state === "pending");
  }

  #secretOf({ oid, sealed_secret: sealed }: FactorRow): Uint8Array {
    return Buffer.from(this.parts.secrets.unseal(secretName(oid), sealed ?? ""), "base64url");
  }

  #now(): string {
    return this.parts.now().toISOString();
  }
}

/** Thrown for a code that another request has used between the check and the write. */
class UsedBefore extends Error {}

/** Guesses of one account count together, from every address: the password is known already. */
function attemptKey(oid: string): string {
  return `second factor ${oid}`;
}

function secretName(oid: string): string {
  return `totp ${oid}`;
}

/** A code as people type it, without its spaces and dashes. */
function spoken(code: string): string {
  return code.replaceAll(/[\s-]/g, "");
}

function pendingApp(user: User, factorId: string, secret: Uint8Array, host: string): PendingApp {
  return { factorId, secret: base32(secret), uri: appUri(`svc ${host}`, user.email, secret) };
}

function factorOf(row: FactorRow): Factor {
  return {
    factorId: row.id,
    kind: row.kind === "passkey" ? "passkey" : "totp",
    name: row.name,
    status: row.state === "active" ? "active" : "pending",
    host: row.host,
    created_at: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

function noSuchFactor(what: string): Refusal {
  return new Refusal("not-found", { detail: `Cannot do this: ${what}` });
}

/** Refuses 429 while wrong codes make the next attempt wait. */
function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Refusal("rate-limited", {
    detail: `Too many wrong codes: try again in ${seconds} s`,
    headers: { "retry-after": String(seconds) },
  });
}
