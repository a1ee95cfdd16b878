import { expect, test } from "vitest";
import { formField, isLong } from "#ui/kit/forms/form-field.ts";

test("a field is a line unless its part says otherwise", () => {
  expect(formField("name", "Name")).toMatchObject({
    kind: "line",
    isRequired: false,
    hint: "",
  });
  const kinds = ["line", "lines", "list", "number", "choice", "json"] as const;
  expect(kinds.filter((kind) => isLong(formField("a", "A", { kind })))).toEqual([
    "lines",
    "list",
    "json",
  ]);
});
