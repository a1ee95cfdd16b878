import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("rules are listed with their recipients", async () => {
  expect(await sent("alert rule list")).toMatchObject({
    exitCode: 0,
    requests: [["alerts.listRules", { page: "1", limit: "20" }]],
    stdout:
      "NAME  KIND  TYPES  FOR   ENABLED  ID\nword  word  word   word  no       0198f0a0-2222-7000-8000-000000000002\n",
  });
});
