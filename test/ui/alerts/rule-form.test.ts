import { describe, expect, it } from "vitest";
import { initialData } from "#ui/kit/forms/form-model.ts";
import {
  ruleChanges,
  ruleCreation,
  ruleData,
  ruleFaults,
  ruleFields,
  ruleOptions,
} from "#ui/alerts/rule-form.ts";

const defaults = { ...initialData(ruleFields([], undefined)), name: "Refused" };
const stored = {
  id: "r",
  name: "Refused",
  kind: "event",
  types: ["licence"],
  role: "tenant-staff",
};

describe("the form of an alert rule", () => {
  it("creates one for the user, or for a role", () => {
    expect(ruleCreation(defaults)).toEqual({ name: "Refused", kind: "event" });
    const data = { ...defaults, kind: "deadline", days: 3, recipient: "tenant-admin" };
    expect(ruleCreation(data)).toEqual({
      name: "Refused",
      kind: "deadline",
      days: 3,
      role: "tenant-admin",
    });
  });

  it("keeps the kind and the recipient of a rule that is changed", () => {
    const fields = ruleFields([], { ...stored, role: null, userId: "u1" });
    expect(fields.find(({ name }) => name === "kind")?.locked).toBe("a rule keeps its kind");
    const recipients = fields.find(({ name }) => name === "recipient")?.choices ?? [];
    expect(recipients[0]).toEqual({ text: "one member, as now", value: "u1" });
    const before = ruleData(stored);
    expect(ruleChanges(before, { ...before, name: "Closed" })).toEqual({ name: "Closed" });
  });

  it("removes the settings that are emptied", () => {
    const before = ruleData({ ...stored, operations: ["created"] });
    const { types: _, ...without } = before;
    const changes = ruleChanges(before, { ...without, operations: ["deleted"] });
    expect(changes).toEqual({ types: null, operations: ["deleted"] });
    expect(ruleOptions(changes)).toMatchObject({ clear: "types", operations: "deleted" });
  });

  it("knows the kinds of changes and a filter", () => {
    expect(ruleFaults({ ...defaults, kinds: ["chat"], where: "x" })).toMatchObject([
      { pointer: "#/kinds" },
      { pointer: "#/where" },
    ]);
  });

  it("has the options of the command", () => {
    expect(ruleOptions({ types: ["a", "b"], where: { id: "x" }, percent: 90 })).toEqual({
      types: "a,b",
      where: '{"id":"x"}',
      percent: 90,
    });
  });
});
