import type { AccountReceipt } from "#contract/access/members.ts";
import { Refusal } from "#contract/problems.ts";
import type { Session } from "#contract/access/identity.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Principal } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import {
  hasOtherSystemAdmin,
  localIssuer,
  updateUser,
  userByOid,
  type Passwords,
  type User,
} from "../identity/service.ts";
import { activeGrant, activeGrantsOf, revokeGrant, type Grant } from "../tokens/service.ts";
import type { Factors } from "../factors/service.ts";
import { endAccess, giveOneTimePassword } from "./one-time-password.ts";

/** Ends the access of accounts: tokens of every kind, sessions, and the account itself. */
export class Accounts {
  constructor(
    private readonly parts: {
      readonly now: () => Date;
      readonly cursors: ListCursors;
      readonly accessTokenSeconds: number;
      readonly factors: Pick<Factors, "removeAll">;
      readonly passwords: Passwords;
      /** False where another provider signs users in. */
      readonly hasPasswords: boolean;
    },
  ) {}

  /** A disabled account has no valid token at once; the last system administrator stays enabled. */
  async setDisabled(work: Work, oid: string, isDisabled: boolean): Promise<AccountReceipt> {
    return this.#end(work, oid, async (tx, user, now) => {
      if (!isDisabled) {
        await updateUser(tx, oid, { disabled_at: null, updated_at: now });
        return 0;
      }
      if (user.system_admin === 1 && !(await hasOtherSystemAdmin(tx, oid))) {
        throw new Refusal("conflict", {
          detail: "Cannot disable this account: the installation needs an administrator",
        });
      }
      return endAccess(tx, oid, { disabled_at: now, updated_at: now });
    });
  }

  /** Ends all tokens, also minted ones, which belong to no sign-in. */
  async revokeTokens(work: Work, oid: string): Promise<AccountReceipt> {
    return this.#end(work, oid, (tx, _user, now) => endAccess(tx, oid, { updated_at: now }));
  }

  /** Removes the factors of a user who has lost them, and ends all tokens and sessions. */
  async resetFactors(work: Work, oid: string): Promise<AccountReceipt> {
    let removedFactors = 0;
    const receipt = await this.#end(
      work,
      oid,
      async (tx, _user, now) => {
        removedFactors = await this.parts.factors.removeAll(tx, oid);
        return endAccess(tx, oid, { updated_at: now });
      },
      () => ({ removedFactors }),
    );
    return { ...receipt, removedFactors };
  }

  /** Replaces a forgotten password with a one-time password, and ends all tokens and sessions. */
  async resetPassword(work: Work, oid: string): Promise<AccountReceipt> {
    const { password, hash } = await this.parts.passwords.oneTime();
    let expiresAt = "";
    const receipt = await this.#end(
      work,
      oid,
      async (tx, user, now) => {
        if (!this.parts.hasPasswords || user.issuer !== localIssuer) {
          throw new Refusal("conflict", {
            detail: "Cannot reset this password: another identity provider signs the user in",
          });
        }
        const given = await giveOneTimePassword(tx, oid, { hash, now });
        ({ expiresAt } = given);
        return given.revokedGrants;
      },
      () => ({ password: "one-time" }),
    );
    return { ...receipt, oneTimePassword: password, expiresAt };
  }

  /** The sign-ins of a user that still have a valid token. */
  async sessions(
    { read }: Work,
    { oid, sessionId }: Principal,
    query: Pick<ListQuery, "page" | "limit" | "cursor">,
  ): Promise<ListBody<Session>> {
    const { accessTokenSeconds, cursors } = this.parts;
    const now = this.parts.now();
    const pages = new ListPages(cursors, ["sessions", oid]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const usedAfter = new Date(now.getTime() - accessTokenSeconds * 1000).toISOString();
    const place = { after: madeAt(start.after), limit, offset };
    const listing = { oid, now: now.toISOString(), usedAfter, ...place };
    return pages.body(start, {
      rows: await activeGrantsOf(read, listing),
      itemOf: (grant) => sessionOf(grant, sessionId),
      positionOf: (grant) => [grant.created_at, grant.id],
    });
  }

  /** Refuses 404 for the session of another user. */
  async endSession(
    work: Work,
    oid: string,
    id: string,
  ): Promise<{ sessionId: string; status: "ended" }> {
    await work.write(async (tx) => {
      const grant = await activeGrant(tx, id);
      if (grant?.oid !== oid) {
        throw new Refusal("not-found", { detail: "You have no such session" });
      }
      await revokeGrant(tx, id, this.parts.now().toISOString());
    });
    return { sessionId: id, status: "ended" };
  }

  /** Runs a change of an account, which returns how many grants it has revoked. */
  async #end(
    work: Work,
    oid: string,
    change: (tx: Transaction, user: User, now: string) => Promise<number>,
    facts: () => object = () => ({}),
  ): Promise<AccountReceipt> {
    return work.write(async (tx) => {
      const user = await userByOid(tx, oid);
      if (user === undefined) throw new Refusal("not-found", { detail: "There is no such user" });
      const revokedGrants = await change(tx, user, this.parts.now().toISOString());
      const after = await userByOid(tx, oid);
      tx.note({
        target: { oid, email: user.email },
        before: { disabled: user.disabled_at !== null },
        after: {
          disabled: after?.disabled_at !== null,
          endedSignIns: revokedGrants,
          ...facts(),
        },
      });
      const isDisabled = after !== undefined && after.disabled_at !== null;
      return { oid, status: isDisabled ? "disabled" : "active", revokedGrants };
    });
  }
}

function sessionOf(grant: Grant, currentId: string | undefined): Session {
  return {
    sessionId: grant.id,
    clientId: grant.client_id,
    device: grant.device ?? null,
    signedInAt: grant.signed_in_at,
    lastUsedAt: grant.last_used_at ?? grant.created_at,
    current: grant.id === currentId,
  };
}
