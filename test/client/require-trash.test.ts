import { expect, test } from "vitest";
import { requireTrash } from "#client/require-trash.ts";
import { catalogError } from "#contract/errors.ts";

const words = { details: "this platform cannot erase", hint: "Delete it instead" };
const failed = (status: number, code: "E202" | "E203" = "E203") =>
  code === "E203"
    ? catalogError("E203", { details: "failed" }, { status })
    : catalogError("E202", { resource: "Workspace" }, { status });

test("a platform with a trash passes", async () => {
  await requireTrash(() => Promise.resolve(), words);
});

test.each([400, 405, 422, 501])("a refusal of %i means that there is no trash", async (status) => {
  await expect(requireTrash(() => Promise.reject(failed(status)), words)).rejects.toThrow(
    words.details,
  );
});

test("another failure is thrown as it is", async () => {
  const error = failed(503);
  await expect(requireTrash(() => Promise.reject(error), words)).rejects.toBe(error);
  const other = new Error("other");
  await expect(requireTrash(() => Promise.reject(other), words)).rejects.toBe(other);
});
