import type { AccountReceipt } from "#contract/members.ts";
import { Refusal } from "#contract/problems.ts";
import type { Session } from "#contract/identity.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Principal } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  endTokens,
  hasOtherSystemAdmin,
  updateUser,
  userByOid,
  type User,
  type UserCache,
} from "../identity/service.ts";
import {
  activeGrant,
  activeGrantsOf,
  revokeGrant,
  revokeGrantsOf,
  type Grant,
  type TokenService,
} from "../tokens/service.ts";
import { deleteFactorsOf } from "../factors/service.ts";
import { noteChange } from "../../kit/change-note.ts";
import { deleteSessionsOf } from "./store.ts";

/** Ends the access of accounts: tokens of every kind, sessions, and the account itself. */
export class Accounts {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: Pick<UserCache, "forgetUser">;
      readonly tokens: Pick<TokenService, "forgetGrant">;
      readonly now: () => Date;
      readonly cursors: ListCursors;
      readonly accessTokenSeconds: number;
    },
  ) {}

  /** A disabled account has no valid token at once; the last system administrator stays enabled. */
  async setDisabled(oid: string, isDisabled: boolean): Promise<AccountReceipt> {
    return this.#end(oid, async (writer, user, now) => {
      if (!isDisabled) {
        await updateUser(writer, oid, { disabled_at: null, updated_at: now });
        return [];
      }
      if (user.system_admin === 1 && !(await hasOtherSystemAdmin(writer, oid))) {
        throw new Refusal("conflict", {
          detail: "Cannot disable this account: the installation needs an administrator",
        });
      }
      return this.#endTokens(writer, oid, { disabled_at: now, updated_at: now });
    });
  }

  /** Also ends minted tokens, which belong to no sign-in. */
  async revokeTokens(oid: string): Promise<AccountReceipt> {
    return this.#end(oid, (writer, _user, now) =>
      this.#endTokens(writer, oid, { updated_at: now }),
    );
  }

  /** For a user who has lost every factor; what was signed in without them ends too. */
  async resetFactors(oid: string): Promise<AccountReceipt> {
    let removedFactors = 0;
    const receipt = await this.#end(
      oid,
      async (writer, _user, now) => {
        removedFactors = await deleteFactorsOf(writer, oid);
        return this.#endTokens(writer, oid, { updated_at: now });
      },
      () => ({ removedFactors }),
    );
    return { ...receipt, removedFactors };
  }

  /** The sign-ins of a user that still have a valid token. */
  async sessions(
    { oid, sessionId }: Principal,
    query: Pick<ListQuery, "page" | "limit" | "cursor">,
  ): Promise<ListBody<Session>> {
    const { accessTokenSeconds, cursors, database } = this.parts;
    const now = this.parts.now();
    const pages = new ListPages(cursors, ["sessions", oid]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const usedAfter = new Date(now.getTime() - accessTokenSeconds * 1000).toISOString();
    const place = { after: madeAt(start.after), limit, offset };
    const listing = { oid, now: now.toISOString(), usedAfter, ...place };
    return pages.body(start, {
      rows: await activeGrantsOf(database.read, listing),
      itemOf: (grant) => sessionOf(grant, sessionId),
      positionOf: (grant) => [grant.created_at, grant.id],
    });
  }

  /** 404 for the session of another user. */
  async endSession(oid: string, id: string): Promise<{ sessionId: string; status: "ended" }> {
    const { database, now, tokens } = this.parts;
    await database.write(async (writer) => {
      const grant = await activeGrant(writer, id);
      if (grant?.oid !== oid) {
        throw new Refusal("not-found", { detail: "You have no such session" });
      }
      await revokeGrant(writer, id, now().toISOString());
    });
    tokens.forgetGrant(id);
    return { sessionId: id, status: "ended" };
  }

  async #end(
    oid: string,
    work: (writer: Writer, user: User, now: string) => Promise<readonly string[]>,
    facts: () => object = () => ({}),
  ): Promise<AccountReceipt> {
    const { access, database, now, tokens } = this.parts;
    const { grants, after } = await database.write(async (writer) => {
      const user = await userByOid(writer, oid);
      if (user === undefined) throw new Refusal("not-found", { detail: "There is no such user" });
      const ended = await work(writer, user, now().toISOString());
      const after = await userByOid(writer, oid);
      noteChange({
        target: { oid, email: user.email },
        before: { disabled: user.disabled_at !== null },
        after: {
          disabled: after?.disabled_at !== null,
          endedSignIns: ended.length,
          ...facts(),
        },
      });
      return { grants: ended, after };
    });
    for (const grantId of grants) tokens.forgetGrant(grantId);
    access.forgetUser(oid);
    const isDisabled = after !== undefined && after.disabled_at !== null;
    return { oid, status: isDisabled ? "disabled" : "active", revokedGrants: grants.length };
  }

  async #endTokens(
    writer: Writer,
    oid: string,
    changes: { readonly disabled_at?: string; readonly updated_at: string },
  ): Promise<string[]> {
    await endTokens(writer, oid, changes);
    await deleteSessionsOf(writer, oid);
    return revokeGrantsOf(writer, oid, changes.updated_at);
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
