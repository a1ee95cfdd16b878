import { expect, test } from "vitest";
import { appUri, base32, codeAt, matchingStep } from "#server/domains/factors/totp.ts";

/** RFC 6238, appendix B: the last six of its eight digits. */
const secret = Buffer.from("12345678901234567890");
const vectors = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;

test.each(vectors)("the code of second %i is that of RFC 6238", (second, code) => {
  expect(codeAt(secret, Math.floor(second / 30))).toBe(code);
  const now = new Date(second * 1000);
  expect(matchingStep(secret, code, { now, after: 0 })).toBe(Math.floor(second / 30));
});

test("a code counts one step before and after its own, and not for a step that was used", () => {
  const step = 50_000_000;
  const code = codeAt(secret, step);
  const at = (steps: number, after = 0): number | undefined =>
    matchingStep(secret, code, { now: new Date((step + steps) * 30_000), after });
  expect([-2, -1, 0, 1, 2].map((steps) => at(steps))).toEqual([
    undefined,
    step,
    step,
    step,
    undefined,
  ]);
  expect(at(0, step - 1)).toBe(step);
  expect(at(0, step)).toBeUndefined();
  expect(matchingStep(secret, "", { now: new Date(step * 30_000), after: 0 })).toBeUndefined();
});

test("the secret is in Base32 as RFC 4648 has it, and the address has its parts escaped", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  expect(texts.map((text) => base32(Buffer.from(text)))).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
  const uri = new URL(appUri("svc a&b", "a b@example.org", secret));
  expect(uri.protocol).toBe("otpauth:");
  expect(uri.searchParams.get("issuer")).toBe("svc a&b");
  expect(uri.searchParams.get("secret")).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(decodeURIComponent(uri.pathname)).toContain("a b@example.org");
});
