import { expect, test } from "vitest";
import {
  linkChange,
  linksOf,
  linksStateAfter,
  referenceRules,
  withoutReferences,
} from "#server/domains/object-types/reference-rules.ts";

const reference = (more: object = {}) => ({
  type: "reference",
  targetObjectType: "site",
  ...more,
});
const definition = {
  properties: {
    site: reference({ onDelete: "cascade" }),
    place: { type: "object", properties: { sites: { type: "array", items: reference() } } },
  },
  linkTypes: [{ name: "owner", targetObjectType: "person", onDelete: "restrict" }],
};
const rulesOf = (on_delete: string) => referenceRules({ definition, on_delete } as never);

test("a reference has its own rule, or that of its type", () => {
  expect(rulesOf("keep").map(({ path, onDelete }) => `${path} ${onDelete}`)).toEqual([
    "site cascade",
    "owner restrict",
  ]);
  expect(rulesOf("clear").map(({ path }) => path)).toContain("place.sites");
});

const data = { site: "1", place: { sites: ["1", "2", "1"] }, owner: 7 };

test("links are found in lists, each once, and compared", () => {
  const rules = rulesOf("clear");
  expect(linksOf(rules, data)).toEqual([
    { path: "site", target: "1" },
    { path: "place.sites", target: "1" },
    { path: "place.sites", target: "2" },
  ]);
  expect(linkChange(rules, data, { ...data, site: "3" })).toEqual({
    added: [{ path: "site", target: "3" }],
    removed: [{ path: "site", target: "1" }],
  });
  expect(linkChange(rules, data, { ...data, note: "x" })).toBe(undefined);
  expect(linkChange([], data, {})).toBe(undefined);
});

test("references to deleted records are taken out", () => {
  const gone = new Set(["1"]);
  expect(withoutReferences(data, { names: ["site"] }, gone)).not.toHaveProperty("site");
  expect(withoutReferences(data, { names: ["place", "sites"] }, gone)).toMatchObject({
    place: { sites: ["2"] },
  });
  expect(withoutReferences(data, { names: ["none"] }, gone)).toBe(data);
});

test("new rules need the links of all records", () => {
  const stored = { definition, on_delete: "keep", links_state: "ready" } as never;
  const more = {
    ...definition,
    properties: { ...definition.properties, next: reference({ onDelete: "clear" }) },
  };
  expect([
    linksStateAfter(stored, definition as never, true),
    linksStateAfter(stored, more as never, true),
    linksStateAfter(stored, more as never, false),
  ]).toEqual(["ready", "building", "ready"]);
});
