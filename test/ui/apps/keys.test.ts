import { expect, test } from "vitest";
import { appKeys } from "#ui/apps/keys.ts";

test("an available workflow is not requested again, and a viewer requests none", () => {
  const reason = (facts: object) => appKeys.requestWorkflow.entries[0].disabledReason?.of(facts);
  expect(reason({ workflowStatus: "available" })).toBe("this workflow is available already");
  expect(reason({ workflowStatus: "blocked", role: "tenant-staff" })).toBe(undefined);
  expect(reason({ role: "tenant-viewer" })).toMatch(/needs the role tenant-staff/);
});
