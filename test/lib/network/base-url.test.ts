import { expect, test } from "vitest";
import {
  BaseUrlError,
  baseUrlText,
  parseBaseUrl,
  parsePlatformUrl,
} from "#lib/network/base-url.ts";

test.each([
  ["http://127.0.0.1:4400", "http://127.0.0.1:4400"],
  ["https://Platform.example///", "https://platform.example"],
  ["https://platform.example/council//", "https://platform.example/council"],
  ["https://platform.example//council/", "https://platform.example//council"],
])("%s is %s", (text, normal) => {
  expect(baseUrlText(parseBaseUrl(text))).toBe(normal);
});

test.each([
  ["platform.example", "is not an address"],
  ["ftp://platform.example", "is neither http nor https"],
  ["https://me:secret@platform.example", "carries credentials"],
  ["https://platform.example/?a=1", "has a query or a fragment"],
])("%s %s", (text, fault) => {
  expect(() => parseBaseUrl(text)).toThrow(new BaseUrlError(fault));
});

test.each(["https://platform.example/v4", "https://platform.example/council/v4/"])(
  "%s would find no route of the platform",
  (text) => {
    expect(() => parsePlatformUrl(text)).toThrow(
      new BaseUrlError("ends in /v4, which is added to it"),
    );
    expect(() => parseBaseUrl(text)).not.toThrow();
  },
);

test("a path of nothing but slashes between two letters is read in one pass", () => {
  // A project's .env.local may hold it, and every command that is typed there reads it.
  const path = `/a${"/".repeat(1_000_000)}b`;
  expect(parseBaseUrl(`http://127.0.0.1${path}`).pathname).toBe(path);
});
