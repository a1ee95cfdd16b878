import { expect, test } from "vitest";
import { alertOf, ruleOf } from "#server/domains/alerts/wire.ts";

const row = (kind: string, about: object, more: object = {}) =>
  ({
    id: "a",
    kind,
    subject: "S-1",
    about: JSON.stringify(about),
    acknowledged_at: null,
    ...more,
  }) as never;

test.each([
  ["deadline", { type: "site", property: "due", due: "2026-01-01" }, "site S-1: due is 2026-01-01"],
  ["job", { type: "import" }, "The job import S-1 failed"],
  ["endpoint", {}, "The webhook endpoint S-1 fails or is disabled"],
  [
    "quota",
    { quota: "records", limit: 3_000, used: 2_500 },
    "The workspace uses 83 % of its quota: 2,500 of 3,000 records",
  ],
  ["event", { kind: "record", type: "site", operation: "deleted" }, "site S-1 was deleted"],
])("an alert of the kind %s has a message", (kind, about, message) => {
  expect(alertOf(row(kind, about)).message).toBe(message);
});

test("only an alert about a record names its type, and an acknowledged one says so", () => {
  expect(alertOf(row("event", { kind: "record", type: "site" }))).toMatchObject({
    objectType: "site",
    status: "open",
  });
  const other = row("job", { kind: "job", type: "import" }, { acknowledged_at: "2026" });
  expect(alertOf(other)).toMatchObject({ objectType: null, status: "acknowledged" });
});

test("a rule has its stored settings", () => {
  const rule = { id: "r", name: "n", state: "muted", settings: '{"days":3}' } as never;
  expect(ruleOf(rule)).toMatchObject({ id: "r", days: 3, enabled: false });
});
