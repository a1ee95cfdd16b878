import { expect, test } from "vitest";
import { shellWord } from "#lib/text/shell-word.ts";

test.each([
  ["plain-1.txt", "plain-1.txt"],
  ["a b", "'a b'"],
  ["", "''"],
  ["it's", `'it'\\''s'`],
  ["$(rm -rf)", "'$(rm -rf)'"],
  ["a\tb", `'a'"$(printf '\\011')"'b'`],
  ["a\0b", "'ab'"],
])("%j becomes %s", (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});

test("a shell gives back the word", () => {
  const words = ["a b", "it's", "\x1b[31mred\u202e", "two\nlines", "-n", '\\ " ` $HOME *', "é"];
  const { stdout } = Bun.spawnSync([
    "sh",
    "-c",
    `printf '%s\\n---' ${words.map(shellWord).join(" ")}`,
  ]);
  expect(stdout.toString().split("\n---").slice(0, -1)).toEqual(words);
});
