import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a plan is made for the named types", async () => {
  expect(await sent("resources indexes-plan --object-type site")).toMatchObject({
    exitCode: 0,
    requests: [["storage.indexPlan", { tenantId: workspace }, { objectTypes: ["site"] }]],
    stdout:
      "TYPE  PROPERTY  INDEX           ACTION\nword  word      word\nword  word      missing (word)  word\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("resources indexes-plan")).toMatchObject({ exitCode: 2, requests: [] });
});
