import { createHmac } from "node:crypto";
import { equalSecrets } from "../secrets/service.ts";

/** SHA-1, six digits and 30 seconds, which every app supports (RFC 6238, 5.2). */
const stepSeconds = 30;
const digits = 6;
/** RFC 4226, 4: 160 bits. */
export const secretBytes = 20;
/** Steps before and after the present one whose codes count: clocks differ, and people are slow. */
const window = [0, -1, 1] as const;

/** The step of a code that is valid now and later than `after`; undefined for any other code. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, after }: { readonly now: Date; readonly after: number },
): number | undefined {
  const present = Math.floor(now.getTime() / 1000 / stepSeconds);
  return window
    .map((offset) => present + offset)
    .find((step) => step > after && equalSecrets(code, codeAt(secret, step)));
}

/** RFC 4226, 5.3, with the number of the step as the counter. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, 6, without padding: apps read it so. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}

/** The address that an app reads from a QR code; short, so that the code fits a terminal. */
export function appUri(issuer: string, account: string, secret: Uint8Array): string {
  const name = encodeURIComponent(account);
  return `otpauth://totp/${name}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
