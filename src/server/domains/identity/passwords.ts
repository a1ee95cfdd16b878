import { Refusal } from "#contract/problems.ts";
import { randomText } from "../secrets/service.ts";

/** OWASP's parameters for Argon2id (RFC 9106): 19 MiB and two passes, about 26 ms. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Each running hash takes memory and a thread. */
const maximumRunning = 2;
const maximumWaiting = 64;

export const minimumPasswordLength = 12;
/** Bounds the time of a hash, far above any passphrase. */
const maximumPasswordLength = 256;

/** Hashes and checks passwords off the event loop, a few at a time. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Checked where no account exists, so that the response takes as long. */
  #decoy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.#withPermit(() => Bun.password.hash(password.normalize("NFC"), cost));
  }

  /** Whether the password is correct. It takes as long without a hash as with a wrong password. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    // The first check of any account makes it, so that an unknown account takes no longer.
    const decoy = this.#decoyHash();
    const against = hash ?? (await decoy);
    const isEqual = await this.#withPermit(() =>
      Bun.password.verify(password.normalize("NFC"), against),
    );
    return isEqual && hash !== null;
  }

  #decoyHash(): Promise<string> {
    if (this.#decoy !== undefined) return this.#decoy;
    // Without a permit, since it would be refused when the queue is full.
    const decoy = Bun.password.hash(oneTimePassword(), cost);
    this.#decoy = decoy;
    decoy.catch(() => {
      // It failed for lack of memory; the next check makes it again.
      this.#decoy = undefined;
    });
    return decoy;
  }

  async #withPermit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= maximumRunning) {
      if (this.#waiting.length >= maximumWaiting) {
        throw new Refusal("overloaded", {
          detail: "Too many sign-ins are running: try again in a moment",
          headers: { "retry-after": "2" },
        });
      }
      // The hash that ends hands over its permit, so that a new request cannot take it first.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** Without the letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of five characters, about 99 bits: valid once, to choose a password with. */
export function oneTimePassword(): string {
  return Array.from({ length: 4 }, () => randomText(alphabet, 5)).join("-");
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
  if (password.toLowerCase() === email.toLowerCase()) {
    return "Choose a password that is not your e-mail address.";
  }
  if (new Set(password).size < 4) return "Choose a password with more different characters.";
  return undefined;
}
