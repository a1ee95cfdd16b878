import { expect, test } from "vitest";
import type { Role } from "#contract/access/roles.ts";
import type { FeedEvent } from "#server/domains/feed/feed-event.ts";
import { visibleTo } from "#server/domains/feed/visible.ts";

const event = (members: Partial<FeedEvent>): FeedEvent => ({
  id: "e.1.0",
  workspaceId: "w",
  at: "2026-11-27T08:00:00.000Z",
  kind: "record",
  subject: "s",
  op: "updated",
  ...members,
});
const sees = (role: Role, members: Partial<FeedEvent>, oid?: string): boolean =>
  visibleTo({ oid, role: { id: "w", role } }, event(members), undefined) !== undefined;

test.each(["member", "role", "key"])("only admins see changes of a %s", (kind) => {
  expect(sees("tenant-admin", { kind })).toBe(true);
  expect(sees("tenant-builder", { kind })).toBe(false);
});

test("settings are for builders, and a client of the sign-in for admins", () => {
  for (const type of ["alert-rule", "classifier", "document-type", "analyzer"]) {
    expect(sees("tenant-builder", { kind: "setting", type })).toBe(true);
    expect(sees("tenant-staff", { kind: "setting", type })).toBe(false);
  }
  expect(sees("tenant-builder", { kind: "setting", type: "sign-in-client" })).toBe(false);
  expect(sees("tenant-admin", { kind: "setting", type: "sign-in-client" })).toBe(true);
  const named = { id: "w", role: "tenant-builder" as const, permissions: new Set(["alerts.list"]) };
  const classifier = event({ kind: "setting", type: "classifier" });
  expect(visibleTo({ role: named }, classifier, undefined)).toBeUndefined();
});

test.each(["user", "grant"])("no member sees changes of a %s in a workspace", (kind) => {
  expect(sees("tenant-admin", { kind })).toBe(false);
});

test("a conversation is for its participants, whatever another's role is", () => {
  const conversation = { kind: "conversation", participants: ["u1"] };
  expect(sees("tenant-viewer", conversation, "u1")).toBe(true);
  expect(sees("tenant-admin", conversation, "u2")).toBe(false);
  // The role of a webhook endpoint is that of no user.
  expect(sees("tenant-admin", conversation)).toBe(false);
  expect(sees("tenant-admin", { kind: "conversation" }, "u1")).toBe(false);
});

test("changes of records of a deleted type are for admins", () => {
  expect(sees("tenant-admin", { type: "gone" })).toBe(true);
  expect(sees("tenant-builder", { type: "gone" })).toBe(false);
});

test("the trouble of a webhook endpoint is for admins, as the endpoint is", () => {
  const trouble = { kind: "alert", type: "webhook-endpoint" };
  expect(sees("tenant-admin", trouble)).toBe(true);
  expect(sees("tenant-builder", trouble)).toBe(false);
  expect(sees("tenant-builder", { kind: "alert", type: "webhook-source" })).toBe(false);
  expect(sees("tenant-viewer", { kind: "alert", type: "deadline", op: "raised" })).toBe(true);
  // An alert about a job is read by the route of alerts, not by that of jobs.
  const named = { id: "w", role: "tenant-viewer" as const, permissions: new Set(["alerts.list"]) };
  expect(
    visibleTo({ role: named }, event({ kind: "alert", type: "job" }), undefined),
  ).toBeDefined();
});
