import { expect, it } from "vitest";
import { importOptions, importOutcome, importQuery } from "#ui/geo/datasets/import-form.ts";

const state = { jobId: "j", dataset: "parks", status: "succeeded" };
const counts = { read: 5, stored: 3, repaired: 1, refused: 2 };

it("sends the settings that were made, and names the same in the command", () => {
  const data = { format: "csv", dryRun: true, skip: false, id: "code", longitude: "x" };
  expect(importQuery(data)).toEqual({ format: "csv", dryRun: true, id: "code", longitude: "x" });
  expect(importOptions(data)).toMatchObject({ "file-format": "csv", "dry-run": true, wait: true });
  expect(importQuery({ dryRun: false })).toEqual({});
});

it("reports the counts, the reasons, and what a dry run would do", () => {
  const faults = [{ feature: 1_200, id: "a", pointer: "/geometry", detail: "is not closed" }];
  const partial = { ...state, status: "completed_with_errors", counts, faults };
  expect(importOutcome(partial)).toEqual({
    good: false,
    lines: [
      "3 stored, 1 repaired, 2 refused",
      "feature 1,200 (a): /geometry is not closed",
      "and 1 more",
    ],
  });
  const tried = { ...state, dryRun: true, counts: { ...counts, repaired: 0, refused: 0 } };
  expect(importOutcome(tried)).toEqual({ good: true, lines: ["3 would be stored"] });
});

it("says that nothing was stored after a failure or a stop", () => {
  const head = "Nothing was stored, the dataset has its former features";
  const failed = { ...state, status: "failed", error: { message: "no CSV" } };
  expect(importOutcome(failed).lines).toEqual([`${head}: no CSV`]);
  expect(importOutcome({ ...state, status: "cancelled" }).lines).toEqual([
    `${head}: the import is cancelled`,
  ]);
});
