import { expect, test } from "vitest";
import { rowEnvironment } from "#ui/shell/profile/row-environment.ts";

test("the fields of a row are variables, as they are", () => {
  const data = { reference: "PA-1", "site area": 2, note: "$(reboot); `x`\nline\0", none: null };
  const row = { id: "7", documentId: "d", data, tags: ["a"] };
  expect(rowEnvironment(row)).toEqual({
    SVC_ROW_ID: "7",
    SVC_ROW_DOCUMENT_ID: "d",
    SVC_ROW_TAGS: '["a"]',
    SVC_ROW_REFERENCE: "PA-1",
    SVC_ROW_SITE_AREA: "2",
    SVC_ROW_NOTE: "$(reboot); `x`\nline",
    SVC_ROW: JSON.stringify(row),
  });
});

test("a field and a row that are too long for an environment are left out", () => {
  const row = { id: "7", data: { note: "x".repeat(200_000) } };
  expect(rowEnvironment(row)).toEqual({ SVC_ROW_ID: "7" });
});
