import { createHmac } from "node:crypto";
import type { Reader } from "../../database/database.ts";
import { userByOid, type User } from "../identity/service.ts";
import { equalSecrets } from "../secrets/service.ts";

const lifetimeMs = 10 * 60 * 1000;

/** The step of a sign-in that a ticket leads to. */
export type TicketPurpose = "choose-password" | "factor";

/**
 * Proofs that a user has entered the password, for the next page of the sign-in. A ticket is void
 * once the password changes or the account's tokens end.
 */
export class Tickets {
  constructor(
    private readonly parts: {
      readonly read: Reader;
      readonly now: () => Date;
      readonly key: Uint8Array;
    },
  ) {}

  issue(purpose: TicketPurpose, user: User): string {
    return this.#ticket(purpose, user, String(this.parts.now().getTime() + lifetimeMs));
  }

  /** The user whose password was entered; undefined for any ticket that is not valid now. */
  async holder(purpose: TicketPurpose, ticket: string): Promise<User | undefined> {
    const [oid = "", end = ""] = ticket.split(".");
    const user = await userByOid(this.parts.read, oid);
    if (user === undefined || user.disabled_at !== null) return undefined;
    if (!(Number(end) > this.parts.now().getTime())) return undefined;
    return equalSecrets(ticket, this.#ticket(purpose, user, end)) ? user : undefined;
  }

  #ticket(purpose: TicketPurpose, user: User, end: string): string {
    const { oid, password_hash: hash, token_generation: generation } = user;
    const mac = createHmac("sha256", this.parts.key)
      .update(JSON.stringify([purpose, oid, end, hash, Number(generation)]))
      .digest("base64url");
    return `${oid}.${end}.${mac}`;
  }
}
