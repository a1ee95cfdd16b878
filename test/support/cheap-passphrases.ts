import { Encrypter } from "age-encryption";
import { afterAll, beforeAll } from "vitest";

/** The binary logarithm of the cost of a key; the usual one takes a second of processor time. */
const leastCost = 4;

/**
 * Files that the tests of this file encrypt with a passphrase have a key of the least cost. They
 * name their cost, so that decrypting them is cheap too.
 */
export function cheapenPassphrases(): void {
  const { setPassphrase } = Encrypter.prototype;
  beforeAll(() => {
    Encrypter.prototype.setPassphrase = function (passphrase) {
      this.setScryptWorkFactor(leastCost);
      setPassphrase.call(this, passphrase);
    };
  });
  afterAll(() => {
    Encrypter.prototype.setPassphrase = setPassphrase;
  });
}
