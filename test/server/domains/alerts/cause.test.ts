import { expect, test } from "vitest";
import { causeOf } from "#server/domains/alerts/cause.ts";
import { compileFilter, type FeedEvent } from "#server/domains/feed/service.ts";

const rule = {
  filter: compileFilter({}, []),
  names: [],
  deadline: undefined,
  operations: undefined,
};
const event = (members: Partial<FeedEvent>): FeedEvent => ({
  id: "e.1.0",
  workspaceId: "w",
  at: "2026-11-27T08:00:00.000Z",
  kind: "job",
  subject: "s",
  op: "completed",
  ...members,
});

test.each([
  ["job", { after: { state: "failed" } }, true],
  ["job", { after: { state: "succeeded" } }, false],
  ["job", { kind: "record", op: "failed" }, false],
  ["endpoint", { kind: "alert", op: "disabled" }, true],
  // A failed call from outside is not about an endpoint.
  ["endpoint", { kind: "alert", op: "updated", type: "webhook-source" }, false],
  // An alert never raises another one.
  ["endpoint", { kind: "alert", op: "raised" }, false],
  ["event", { kind: "alert", op: "raised" }, false],
  ["event", { kind: "conversation", op: "updated" }, false],
  ["event", { kind: "document", op: "created" }, true],
  // A rule that watches everything does not report itself.
  ["event", { kind: "setting", type: "alert-rule", op: "created" }, false],
  ["event", { kind: "setting", type: "alert-channel", op: "updated" }, false],
  ["event", { kind: "setting", type: "classifier", op: "updated" }, true],
] as const)("a rule of the kind %s has %j as a cause: %j", (kind, members, expected) => {
  expect(causeOf(kind, rule, event(members)) !== undefined).toBe(expected);
});

test("a repetition of an event is the same cause", () => {
  const document = event({ kind: "document", op: "created" });
  expect(causeOf("event", rule, document)?.key).toBe("e.1.0");
});

test("only admins see alerts about webhook endpoints", () => {
  const cause = causeOf("endpoint", rule, event({ kind: "alert", op: "disabled" }));
  expect(cause?.needs.role).toBe("tenant-admin");
});
