import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a rule of events has its name, types and recipients", async () => {
  const words = "alert rule create Overdue --kind event --types site,plan --role tenant-staff";
  const { requests, exitCode } = await sent(words);
  expect(exitCode).toBe(0);
  expect(requests).toEqual([
    [
      "alerts.createRule",
      {},
      expect.objectContaining({
        name: "Overdue",
        kind: "event",
        types: ["site", "plan"],
        role: "tenant-staff",
      }),
    ],
  ]);
});

test("an unknown kind is refused before any request", async () => {
  const words = "alert rule create Overdue --kind odd";
  expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
});
