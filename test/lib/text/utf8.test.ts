import { expect, test } from "vitest";
import { utf8Text } from "#lib/text/utf8.ts";

test.each<[string, readonly number[], string | undefined]>([
  ["ASCII", [0x61, 0x62], "ab"],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x61], "a"],
  ["an umlaut", [0xc3, 0xbc], "ü"],
  ["Latin-1", [0xfc], undefined],
  ["NUL", [0x61, 0], undefined],
  ["a cut character", [0xc3], undefined],
])("%s is decoded or refused", (_name, bytes, text) => {
  expect(utf8Text(Uint8Array.from(bytes))).toBe(text);
});
