import { expect, test } from "vitest";
import { parseEnv } from "#local/env/file.ts";
import { withVariables } from "#local/env/lines.ts";

const key = "-----BEGIN KEY-----\nMIIB=\n# no comment\nA=1\n-----END KEY-----";

test.each(['"', "'", "`"])("a value in %s may have several lines", (quote) => {
  const text = `BEFORE=1\r\nexport KEY = ${quote}${key}${quote} # the key\nAFTER='2'\n`;
  expect(Object.fromEntries(parseEnv(text))).toEqual({ BEFORE: "1", KEY: key, AFTER: "2" });
  const lines = text.replaceAll("\r\n", "\n");
  expect(withVariables(text, new Map([["AFTER", "3"]]))).toBe(lines.replace("'2'", "3"));
  expect(withVariables(text, new Map([["KEY", "short"]]))).toBe("BEFORE=1\nKEY=short\nAFTER='2'\n");
  expect(withVariables(text, new Map([["KEY", undefined]]))).toBe("BEFORE=1\nAFTER='2'\n");
  // The lines of a value are no variables.
  expect(withVariables(text, new Map([["A", "9"]]))).toBe(`${lines}A=9\n`);
});

test.each([
  ['A="open\nB="2"\n', { A: '"open', B: "2" }],
  ["A='it\nB=2\n", { A: "'it", B: "2" }],
  ['A="x" y\nB=2\n', { A: "x", B: "2" }],
  ['A="a\\\\"\nB="b\\"\nc"\n', { A: "a\\", B: 'b"\nc' }],
  ["A=\nB=' '\nC=a # b\nD=a#b", { A: "", B: " ", C: "a", D: "a#b" }],
  ["A='one' 'two'\nB=`x\ny`\n", { A: "one", B: "x\ny" }],
])("%j is read line by line where no quote ends a value", (text, values) => {
  expect(Object.fromEntries(parseEnv(text))).toEqual(values);
});

test("a large file with open quotes is read once", () => {
  const text = `A="\\"\n`.repeat(100_000) + "B='\n";
  expect(parseEnv(text).size).toBeGreaterThan(0);
});
