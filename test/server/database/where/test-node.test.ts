import { expect, test } from "vitest";
import { compilePattern } from "#lib/pattern.ts";
import { statement } from "#server/database/statement.ts";
import { matches } from "#server/database/where/test-node.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

describeOnEachDatabase("a filter's pattern", (open) => {
  test("means the same in this process and in the database", async () => {
    const { read } = await open();
    const sources = [
      ..."a ^a b$ ^ab$ [ab]c [^a]b a.c a\\.c \\d+ \\D \\w\\W \\s \\bb b\\B (ab|ba){2}".split(" "),
      "(a|b)*c$",
      "^(?:a|b){1,3}$",
      "a{0}",
      "x*",
      "",
      "^$",
      "[\\]\\-^]",
      "ä",
      "[à-ü]",
      "\\u00e4",
      "😀",
      "^.$",
    ];
    const texts = [
      ..."|a|b|ab|abc|a.c|abab|baab|1a|a b|a\nb|b|ä|Ä|😀|]|x-y|ABC".split("|"),
      "line one\nab\nline three",
    ];
    for (const source of sources) {
      for (const flags of ["", "i", "m", "s"]) {
        const pattern = compilePattern(source, flags);
        const expected = texts.filter((text) => pattern.test(text));
        const found: string[] = [];
        for (const text of texts) {
          const row = await read.first<{ held: unknown }>(
            statement`select case when ${matches(statement`cast(${text} as text)`, source, flags)}
              then 1 else 0 end as held`,
          );
          if (row?.held === 1) found.push(text);
        }
        expect({ source, flags, found }).toEqual({ source, flags, found: expected });
      }
    }
  });
});
