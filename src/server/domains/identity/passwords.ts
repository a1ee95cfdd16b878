import { Refusal } from "#contract/problems.ts";
import { emailKey } from "#lib/email-address.ts";
import { Permits } from "../../kit/turns/permits.ts";
import { OverloadedError } from "../../kit/storage-errors.ts";
import { newSecret } from "../secrets/service.ts";
import { isWeak } from "./weak-passwords.ts";
import { keptPromise } from "../../kit/background.ts";

/** OWASP's parameters for Argon2id (RFC 9106): 19 MiB and two passes, about 26 ms. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Each running hash takes memory and a thread. Addresses wait in turn, so none delays others. */
const hashes = { count: 2, queueLimit: 512, queueLimitPerShare: 16, waitLimitMs: 10_000 };

export const minimumPasswordLength = 12;
/** Bounds the time of a hash, far above any passphrase. */
const maximumPasswordLength = 256;

export interface OneTimePassword {
  readonly password: string;
  readonly hash: string;
}

/** Hashes and checks passwords off the event loop, a few at a time. */
export class Passwords {
  readonly #permits = new Permits(hashes);
  /** Checked where no account exists, so that the response takes as long. */
  #decoy: Promise<string> | undefined;

  /** `share` is the caller that waits in turn with others: an address or an account. */
  hash(password: string, share: string): Promise<string> {
    return this.#withPermit(share, () => Bun.password.hash(password.normalize("NFC"), cost));
  }

  /** A new one-time password with its hash. */
  async oneTime(): Promise<OneTimePassword> {
    const password = newSecret("oneTimePassword");
    return { password, hash: await this.hash(password, "one-time passwords") };
  }

  /** True if the password is correct. It takes as long without a hash as with a wrong password. */
  async verify(password: string, hash: string | null, share: string): Promise<boolean> {
    // The first check of any account makes it, so that an unknown account takes no longer.
    const decoy = this.#decoyHash();
    const against = hash ?? (await decoy);
    const isEqual = await this.#withPermit(share, () =>
      Bun.password.verify(password.normalize("NFC"), against),
    );
    return isEqual && hash !== null;
  }

  #decoyHash(): Promise<string> {
    if (this.#decoy !== undefined) return this.#decoy;
    // It takes no permit, which would be refused when the queue is full.
    const decoy = Bun.password.hash(newSecret("oneTimePassword"), cost);
    this.#decoy = keptPromise(decoy);
    decoy.catch(() => {
      // It failed for lack of memory; the next check makes it again.
      this.#decoy = undefined;
    });
    return decoy;
  }

  async #withPermit<T>(share: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#permits.take(share).catch((error: unknown) => {
      if (!(error instanceof OverloadedError)) throw error;
      throw new Refusal("overloaded", {
        detail: "Too many sign-ins are running: try again in a moment",
        headers: { "retry-after": "2" },
        cause: error,
      });
    });
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Why this user cannot choose this password, as a sentence; undefined if the password is valid. */
export function passwordFault(password: string, email: string): string | undefined {
  const { length } = Array.from(password);
  if (length < minimumPasswordLength) {
    return `Choose a password of at least ${minimumPasswordLength} characters.`;
  }
  if (length > maximumPasswordLength) {
    return `Choose a password of at most ${maximumPasswordLength} characters.`;
  }
  if (emailKey(password) === emailKey(email)) {
    return "Choose a password that is not your e-mail address.";
  }
  if (new Set(password).size < 4) return "Choose a password with more different characters.";
  if (isWeak(password, email.split(/[^\p{L}\p{N}]+/u))) {
    return "Choose a password that is not made of common words and numbers: it is easy to guess.";
  }
  return undefined;
}
