import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, columnsOf, fieldsOf, labelOf, textOf, valueOf } from "../src/app/fields.ts";

const fields = fieldsOf({
  properties: {
    title: { type: "string", required: true },
    notes: { type: "text" },
    annualFee: { type: "number" },
    status: { type: "enum", enum: ["open", "done"] },
  },
});

test("a field has the label of its property", () => {
  assert.equal(labelOf("annualFee"), "Annual fee");
  assert.equal(labelOf("due_date"), "Due date");
  assert.deepEqual(fields[3].choices, ["open", "done"]);
});

test("a table leaves out long texts", () => {
  const names = columnsOf(fields).map(({ name }) => name);
  assert.deepEqual(names, ["title", "annualFee", "status"]);
});

test("values are text in the table, and typed in the form", () => {
  assert.equal(textOf({ filename: "plan.pdf" }, "file"), "plan.pdf");
  assert.equal(valueOf("12.5", fields[2]), 12.5);
  assert.equal(valueOf(" ", fields[0]), undefined);
  assert.throws(() => valueOf("many", fields[2]), /Annual fee must be a number/);
});

test("only changed properties are sent, and null removes one", () => {
  const before = { title: "Plant", annualFee: 3 };
  const after = { title: "Plant", annualFee: undefined, status: "open" };
  assert.deepEqual(changesOf(before, after), { annualFee: null, status: "open" });
});
