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
    ["in Cyrillic", "\u0430\u0440\u0435@example.org"],
    ["in Cyrillic capitals", "\u0410\u0420\u0415@example.org"],
    ["in Greek", "\u03bd\u03bf@example.org"],
    ["in a label of the host", "anna@\u0441\u043e.example"],
    ["with digits", "\u0441\u043e-2@example.org"],
    [
      "and whose host",
      "\u0430\u0440\u0440\u04cf\u0435@\u0430\u0440\u0440\u04cf\u0435.\u0441\u043e",
    ],
  ])("whose part %s looks like Latin is refused", (_name, address) => {
    expect(mixesScripts(address)).toBe(false);
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
    "а.иванов@example.org",
    "сахар@пример.рф",
  ])("%s does not mix scripts that look alike", (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });
});
