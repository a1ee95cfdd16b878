import { expect, test } from "vitest";
import { compiledRule } from "#server/domains/alerts/compiled-rule.ts";

const site = {
  slug: "site",
  properties: {
    due: { type: "date", meaning: "due", indexed: true },
    state: { type: "enum", enum: ["open", "done"], meaning: "status", closed: ["done"] },
    name: { type: "string" },
  },
  linkTypes: [],
  slots: [],
};
const typeOf = (slug: string) => (slug === "site" ? (site as never) : undefined);
const compiled = (kind: string, settings: object) =>
  compiledRule(kind as never, settings as never, typeOf);

test("a deadline has the date of its type, and the states in which it is done", async () => {
  const rule = await compiled("deadline", { types: ["site"], days: 3 });
  expect(rule.deadline).toEqual({
    slug: "site",
    property: "due",
    isDate: true,
    status: { name: "state", closed: ["done"] },
  });
  expect(rule.names.toSorted()).toEqual(["due", "state"]);
});

test.each([
  [{ types: ["none"] }, "#/types/0"],
  [{ types: [], days: 1 }, "#/types"],
  [{ types: ["site"] }, "#/days"],
  [{ types: ["site"], days: 1, property: "name" }, "#/property"],
  [{ types: ["site"], days: 1, property: "constructor" }, "#/property"],
])("the deadline %j is refused at %s", async (settings, pointer) => {
  await expect(compiled("deadline", settings)).rejects.toMatchObject({
    options: { errors: [{ pointer }] },
  });
});
