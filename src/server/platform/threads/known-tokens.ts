import type { ChangeCount } from "../../kit/change-count.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Principal } from "../../http/handler.ts";
import type { AccessService } from "../../domains/workspaces/access.ts";
import { principalOf, verifiedTokens, type Verified } from "../../domains/tokens/service.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";

/** The tokens that the main thread has verified; only the main thread verifies tokens. */
export class KnownTokens {
  readonly #access: Pick<AccessService, "user">;
  readonly #revocations: ChangeCount;
  readonly #now: () => number;
  readonly #known = verifiedTokens();
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

  /** Throws `LeaderOnlyError` for an unknown or expired token. */
  verify(token: string): Promisable<Principal> {
    this.#follow();
    const kept = this.#known.get(token);
    const now = this.#now();
    if (kept !== undefined && kept.expiresAtMs > now && kept.keptUntilMs > now) {
      return chained(this.#access.user(kept.oid), principalOf);
    }
    this.#known.delete(token);
    throw new LeaderOnlyError("This thread does not know the token");
  }

  /** Keeps a token that the main thread knew at this count of revocations. */
  learn(token: string, known: { readonly token: Verified; readonly revocations: number }): void {
    this.#follow();
    // A later revocation may be of this token.
    if (known.revocations !== this.#followed) return;
    this.#known.set(token, known.token);
  }

  /** Forgets all tokens after a revocation, which does not tell its token. */
  #follow(): void {
    const { value } = this.#revocations;
    if (value === this.#followed) return;
    this.#followed = value;
    this.#known.clear();
  }
}
