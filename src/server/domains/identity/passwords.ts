import { randomInt } from "node:crypto";
import { Refusal } from "#contract/problems.ts";

/** RFC 9106's second choice in OWASP's measure: 19 MiB, two passes, about 26 ms. */
const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Hashes at work at once, and those that may wait: each takes memory and a thread. */
const maximumAtWork = 2;
const maximumWaiting = 64;

export const minimumPasswordLength = 12;
/** A limit on what is hashed, far above any passphrase. */
const maximumPasswordLength = 256;

/** Hashes and checks passwords beside the event loop, a few at a time. */
export class Passwords {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];
  /** Checked for an account that does not exist, so that the answer takes as long. */
  #decoy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password.normalize("NFC"), cost));
  }

  /** Whether the password fits; as slow for no hash as for a wrong one. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const decoy = this.#decoyHash();
    const against = hash ?? (await decoy);
    const fits = await this.#inTurn(() => Bun.password.verify(password.normalize("NFC"), against));
    return fits && hash !== null;
  }

  /** Begun by the first check, whatever that is of: an account that is none takes no longer. */
  #decoyHash(): Promise<string> {
    if (this.#decoy !== undefined) return this.#decoy;
    // Not in turn: it would be refused when all places are taken.
    const decoy = Bun.password.hash(oneTimePassword(), cost);
    this.#decoy = decoy;
    decoy.catch(() => {
      // Without the memory for it the next check makes it anew.
      this.#decoy = undefined;
    });
    return decoy;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#atWork >= maximumAtWork) {
      if (this.#waiting.length >= maximumWaiting) {
        throw new Refusal("overloaded", {
          detail: "Too many sign-ins at once: try again in a moment",
          headers: { "retry-after": "2" },
        });
      }
      // Woken with the place of whoever ended, so that nobody who comes just then takes it.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#atWork += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#atWork -= 1;
      else next();
    }
  }
}

/** No letter or digit that is read as another one. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of five characters, about 99 bits: good once, to choose a password with. */
export function oneTimePassword(): string {
  return Array.from({ length: 4 }, () => randomText(alphabet, 5)).join("-");
}

/** Characters of an alphabet, each as likely as any other, from the system's random numbers. */
export function randomText(characters: string, length: number): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
}

/** Why this can't be the new password of the user with this address; undefined when it can. */
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
