import type { ChangeCount } from "../../kit/change-count.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Principal } from "../../http/handler.ts";
import type { AccessService } from "../../domains/workspaces/access.ts";
import { principalOf, verifiedTokens, type Verified } from "../../domains/tokens/service.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";

/**
 * Tokens that the main thread has verified for requests of this one. It alone verifies: here a token
 * is known, or the request is the main thread's.
 */
export class LearntTokens {
  readonly #access: Pick<AccessService, "user">;
  readonly #revocations: ChangeCount;
  readonly #now: () => number;
  readonly #learnt = verifiedTokens();
  #followed: number;

  constructor(options: {
    readonly access: Pick<AccessService, "user">;
    readonly revocations: ChangeCount;
    readonly now: () => number;
  }) {
    this.#access = options.access;
    this.#revocations = options.revocations;
    this.#now = options.now;
    this.#followed = options.revocations.value;
  }

  /** Throws `LeaderOnlyError` for a token that is not known, or not any longer. */
  verify(token: string): Promisable<Principal> {
    this.#follow();
    const learnt = this.#learnt.get(token);
    const now = this.#now();
    if (learnt !== undefined && learnt.expiresAtMs > now && learnt.keptUntilMs > now) {
      return chained(this.#access.user(learnt.oid), principalOf);
    }
    this.#learnt.delete(token);
    throw new LeaderOnlyError("This thread does not know the token");
  }

  /** What the main thread knew of a token when it had seen so many revocations. */
  learn(token: string, known: { readonly token: Verified; readonly revocations: number }): void {
    this.#follow();
    // It may be the token's own revocation that has come since.
    if (known.revocations !== this.#followed) return;
    this.#learnt.set(token, known.token);
  }

  /** After any revocation every token is asked for again: which one it was is not said. */
  #follow(): void {
    const { value } = this.#revocations;
    if (value === this.#followed) return;
    this.#followed = value;
    this.#learnt.clear();
  }
}
