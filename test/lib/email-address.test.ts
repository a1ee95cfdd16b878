import { describe, expect, test } from "vitest";
import { isEmailAddress, mixesScripts } from "#lib/email-address.ts";

describe("an e-mail address", () => {
  test.each([
    ["a Cyrillic а", "\u0430nna@example.org"],
    ["a Cyrillic а in the host", "anna@ex\u0430mple.org"],
    ["a Greek ο", "\u03bfmega@example.org"],
    ["a Cyrillic а after a digit", "ab1\u0430@example.org"],
    ["an Armenian օ", "g\u0585ld@example.org"],
  ])("with %s in a Latin word mixes scripts, and is refused", (_name, address) => {
    expect(mixesScripts(address)).toBe(true);
    expect(isEmailAddress(address)).toBe(false);
  });

  test.each([
    "anna.o'neil+post@example.org",
    "müller-straße@example.org",
    "joão@example.pt",
    "İzmir@example.com.tr",
    "иван.petrov@пример.рф",
    "αβγ@example.gr",
    "日本ab@例え.jp",
    "한국a@example.kr",
    "user_2026@example.org",
  ])("%s does not mix scripts that look alike", (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });
});
