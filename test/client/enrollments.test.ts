import { expect, test } from "vitest";
import { enrollmentOf, textIn, workflowKeyOf } from "#client/enrollments.ts";

test("an enrollment is read under the names of any deployment", () => {
  const record = { id: "r1", objectType: "x", createdAt: "", updatedAt: "" };
  const one = { vertical_key: "planning", display_name: "Planning", app_url: "https://a.test" };
  const other = { appKey: "planning", name: "Planning", appUrl: "https://a.test" };
  for (const data of [one, other]) {
    expect(enrollmentOf({ ...record, data } as never)).toMatchObject({
      id: "r1",
      key: "planning",
      displayName: "Planning",
      appUrl: "https://a.test",
      status: undefined,
    });
  }
  expect(enrollmentOf({ ...record, data: { key: "" } } as never).key).toBe("r1");
});

test("only texts with characters count", () => {
  expect(textIn({ a: "", b: 1, c: "x" }, "a", "b", "c")).toBe("x");
  expect(workflowKeyOf({ workflowKey: "intake" })).toBe("intake");
  expect(workflowKeyOf({ workflow: "intake" })).toBe(undefined);
});
