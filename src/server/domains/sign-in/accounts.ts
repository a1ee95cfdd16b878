import type { AccountReceipt } from "#contract/members.ts";
import { Refusal } from "#contract/problems.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  endTokens,
  hasOtherSystemAdmin,
  updateUser,
  userByOid,
  type User,
  type UserCache,
} from "../identity/service.ts";
import { revokeGrantsOf, type TokenService } from "../tokens/service.ts";
import { deleteSessionsOf } from "./store.ts";

/** Ends the access of accounts: tokens of every kind, sessions, and the account itself. */
export class Accounts {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: Pick<UserCache, "forgetUser">;
      readonly tokens: Pick<TokenService, "forgetGrant">;
      readonly now: () => Date;
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

  async #end(
    oid: string,
    work: (writer: Writer, user: User, now: string) => Promise<readonly string[]>,
  ): Promise<AccountReceipt> {
    const { access, database, now, tokens } = this.parts;
    const { grants, after } = await database.write(async (writer) => {
      const user = await userByOid(writer, oid);
      if (user === undefined) throw new Refusal("not-found", { detail: "There is no such user" });
      const ended = await work(writer, user, now().toISOString());
      return { grants: ended, after: await userByOid(writer, oid) };
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
