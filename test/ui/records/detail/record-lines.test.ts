import { describe, expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import { recordLines } from "#ui/records/detail/record-words.ts";

const type: ObjectType = {
  id: "t",
  name: "PlanningApplication",
  slug: "planning-application",
  properties: { status: { type: "enum" }, reference: { type: "string" } },
  actions: [{ name: "decide", transition: { property: "status", from: ["open"], to: "decided" } }],
};
const record: Resource = {
  id: "r",
  version: 3,
  data: { reference: "PA-1", status: "open", amount: 5, extra: [1, 2] },
  created_at: "2026-11-21T11:00:00.000Z",
};

function linesOf(objectType: ObjectType, shown: Resource): string[] {
  const view = { width: 60, nowMs: 0, unfolded: new Set<string>(), nameOf: String };
  return recordLines(objectType, shown, view).map(({ spans }) =>
    spans
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );
}

describe("a record in lines", () => {
  it("shows its fields, unknown ones too, and the actions that its status allows", () => {
    const lines = linesOf(type, record);
    expect(lines[0]).toBe("status     ● open  (decide → decided)");
    expect(lines).toContain("extra      1, 2");
    expect(lines).toContain("version    3");
  });

  it("has no value for a property named as a member of every object", () => {
    const odd: ObjectType = { ...type, properties: { constructor: { type: "string" } } };
    expect(linesOf(odd, { ...record, data: {} })[0]).toMatch(/^id +r$/);
  });
});
