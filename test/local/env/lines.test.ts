import { expect, test } from "vitest";
import { isVariableName, withVariables } from "#local/env/lines.ts";
import { parseEnv } from "#local/env/file.ts";

const text = "# mine\nA=1\n\nexport B='two\nlines'\nA=again\n";

test("variables are set in place, removed and added; other lines stay", () => {
  const values = new Map([
    ["A", "new"],
    ["B", undefined],
    ["C", "x y"],
  ]);
  expect(withVariables(text, values)).toBe("# mine\nA=new\n\nC='x y'\n");
  expect(withVariables("A=1", new Map([["B", "2"]]))).toBe("A=1\nB=2\n");
  expect(withVariables("A=1\n", new Map([["A", undefined]]))).toBe("\n");
});

test.each(["plain", "a b", "it's", 'say "x"', "back\\slash", "two\nlines", "$HOME #x", ""])(
  "the value %j is read back",
  (value) => {
    const written = withVariables("", new Map([["A", value]]));
    expect(new Map(parseEnv(written)).get("A")).toBe(value);
  },
);

test("names are letters, digits and underscores", () => {
  expect(["A_1", "_x", "1A", "A-B", ""].map(isVariableName)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
