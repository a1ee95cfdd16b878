import { createHmac } from "node:crypto";
import type { Reader } from "../../database/database.ts";
import { userByOid, type User } from "../identity/service.ts";
import { equalSecrets } from "../secrets/service.ts";

const minuteMs = 60_000;

/** The lifetimes of tickets, by the step that they lead to; mails carry the last one. */
const lifetimesMs = {
  "choose-password": 10 * minuteMs,
  factor: 10 * minuteMs,
  "reset-password": 30 * minuteMs,
};

export type TicketPurpose = keyof typeof lifetimesMs;

/**
 * Proofs that a user has entered the password or has got a mail, for the next page. A ticket is
 * void once the password changes or the account's tokens end.
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
    return this.#ticket(purpose, user, String(this.parts.now().getTime() + lifetimesMs[purpose]));
  }

  /** The user of the ticket; undefined for any ticket that is not valid now. */
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
