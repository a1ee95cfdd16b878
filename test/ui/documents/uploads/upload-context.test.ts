import { expect, test } from "vitest";
import type { Resource } from "#client/index.ts";
import { contextOf } from "#ui/documents/uploads/upload-context.ts";

const record: Resource = {
  id: "r",
  version: 3,
  data: { reference: "PA-1" },
  created_at: "2026-11-21T11:00:00.000Z",
};

test("an upload can belong to a planning application, and not to a licence", () => {
  expect(contextOf("planning-application", record)?.metadata).toEqual({
    planningApplicationId: "r",
  });
  expect(contextOf("licence", record)).toBeUndefined();
});
