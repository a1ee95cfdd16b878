import { codeAt } from "#server/domains/factors/totp.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code of an app with this secret, as an app computes it from Base32. */
export function codeOf(secret: string, now: Date, steps = 0): string {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("")
    .match(/.{8}/g);
  const bytes = Uint8Array.from(bits ?? [], (group) => Number.parseInt(group, 2));
  return codeAt(bytes, Math.floor(now.getTime() / 30_000) + steps);
}
