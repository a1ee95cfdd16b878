import { expect, test } from "vitest";
import { envEntries, envText } from "#local/env/entries.ts";

const read = (text: string): string[] =>
  envEntries(envText(text)).map(({ name, raw }) => `${name}=${raw}`);

test.each([
  ["A=1\r\nexport B = 2 # two\n#C=3\nD", ["A=1", "B=2 # two"]],
  ['A="two\nlines" # note\nB=2', ['A="two\nlines" # note', "B=2"]],
  ["A='open\nB=2", ["A='open", "B=2"]],
  ['A="a\\"b"\nB=', ['A="a\\"b"', "B="]],
  ['A="x" y\nB=2', ['A="x" y', "B=2"]],
  ["1A=x\n B_2=y", ["B_2=y"]],
])("the entries of %j", (text, entries) => {
  expect(read(text)).toEqual(entries);
});

test("many open quotes take linear time", () => {
  expect(envEntries('A="x\n'.repeat(20_000)).length).toBeGreaterThan(1);
});
