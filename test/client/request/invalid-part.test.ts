import { expect, test } from "vitest";
import { invalidPart, unknownMember } from "#client/request/invalid-part.ts";

const letters = { code: "invalid_format", path: ["thing"], message: "must be letters" };

test("a fault has its pointer, and a path its value", () => {
  expect(invalidPart("params", { thing: "a\n" }, [letters])).toMatchObject({
    code: "E305",
    message: expect.stringContaining("#/path/thing must be letters"),
    hint: String.raw`Given is "a\n"`,
  });
  const limit = { code: "too_big", path: ["limit"], message: "", maximum: 10, origin: "number" };
  expect(invalidPart("query", { limit: 11 }, [limit]).message).toContain(
    "#/query/limit must be at most 10",
  );
});

test("a body has no part name, and its first five faults are shown", () => {
  const faults = Array.from({ length: 7 }, (_none, index) => ({ ...letters, path: [index] }));
  const { code, message } = invalidPart("body", [], faults);
  expect(code).toBe("E302");
  expect(message).toContain("#/0 must be letters; #/1");
  expect(message).toContain("#/4 must be letters; and 2 more");
});

test("a member that the platform would drop is named", () => {
  expect(unknownMember("query", "limt")).toMatchObject({
    code: "E305",
    message: expect.stringContaining("#/query/limt is not known here"),
  });
});
