import { describe, expect, it } from "vitest";
import { actionRoleOf, actionsOf } from "#ui/records/actions/record-action.ts";

const type = {
  id: "t",
  name: "Licence",
  slug: "licence",
  properties: { status: { type: "string" } },
  actions: [
    {
      name: "decide",
      displayName: "Decide",
      parameters: { reason: { type: "text", required: true }, odd: "no definition" },
      transition: { property: "status", from: ["open", "new"], to: "decided" },
    },
    { name: "purge", requires: "tenant-admin" },
    { name: "odd", transition: "not one", parameters: 3 },
  ],
};

function inState(status: unknown, role: string | undefined) {
  const record = { id: "r", version: 1, data: { status } };
  return actionsOf(type, record, role).map((action) => [
    action.words,
    action.stateChange,
    action.reason,
  ]);
}

describe("the actions of a record", () => {
  it("are enabled by its state and the role; the others have a reason", () => {
    expect(inState("open", "tenant-staff")).toEqual([
      ["Decide", "open → decided", undefined],
      ["purge", "", "needs the role tenant-admin; yours is tenant-staff"],
      ["odd", "", undefined],
    ]);
    expect(inState("decided", "tenant-admin")[0]).toEqual([
      "Decide",
      "decided → decided",
      "status must be open or new",
    ]);
    expect(inState("open", "tenant-viewer")[0]?.[2]).toBe(
      "needs the role tenant-staff; yours is tenant-viewer",
    );
  });

  it("need at least the lowest role of one of them", () => {
    expect(actionRoleOf(type)).toBe("tenant-staff");
    expect(actionRoleOf({ ...type, actions: type.actions.slice(1, 2) })).toBe("tenant-admin");
    expect(actionRoleOf({ ...type, actions: [{ name: "odd", requires: "planner" }] })).toBe(
      undefined,
    );
    expect(actionRoleOf({ ...type, actions: [] })).toBe(undefined);
  });

  it("have the parameters that are properties", () => {
    const [decide] = actionsOf(type, { id: "r", version: 1, data: {} }, undefined);
    expect(Object.keys(decide?.parameters ?? {})).toEqual(["reason"]);
    expect(decide?.stateChange).toBe("nothing → decided");
  });
});
