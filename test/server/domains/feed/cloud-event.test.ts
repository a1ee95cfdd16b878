import { expect, test } from "vitest";
import { cloudEvent } from "#server/domains/feed/cloud-event.ts";
import type { FeedEvent } from "#server/domains/feed/feed-event.ts";

const event: FeedEvent = {
  id: "e.7.0",
  workspaceId: "w",
  at: "2026-11-27T08:00:00.000Z",
  kind: "record",
  subject: "r1",
  op: "updated",
  type: "permit",
  version: 3,
  changed: ["status"],
  before: { status: "open" },
  after: { status: "closed" },
  actor: "u1",
  request: "q1",
};

test("a change of a record has its type, version and indexed values", () => {
  expect(cloudEvent(event, { cursor: "c" })).toEqual({
    specversion: "1.0",
    id: "e.7.0",
    source: "/v4/workspaces/w",
    type: "svc.resource.updated",
    subject: "permit/r1",
    time: "2026-11-27T08:00:00.000Z",
    datacontenttype: "application/json",
    workspaceid: "w",
    svccursor: "c",
    version: 3,
    data: {
      id: "r1",
      objectType: "permit",
      version: 3,
      actor: "u1",
      requestId: "q1",
      changed: ["status"],
      before: { status: "open" },
      after: { status: "closed" },
    },
  });
});

test.each([
  ["record", "deleted", "svc.resource.deleted"],
  ["job", "completed", "svc.document.job.completed"],
  ["object-type", "created", "svc.objecttype.created"],
  ["member", "deleted", "svc.member.deleted"],
])("a %s that is %s has the type %s", (kind, op, type) => {
  expect(cloudEvent({ ...event, kind, op }, { cursor: "c" }).type).toBe(type);
});

test("a record that leaves a filter says so, and an erased one is null", () => {
  const left = cloudEvent(event, { cursor: "c", isLeft: true, record: null });
  expect(left).toMatchObject({ type: "svc.resource.left", data: { record: null } });
});

test("only records and files have an Object Type", () => {
  const job = cloudEvent({ ...event, kind: "job", type: "extract" }, { cursor: "c" });
  expect(job.subject).toBe("r1");
  expect(job.data).not.toHaveProperty("objectType");
});

test.each([
  ["job", "geo-report", "geo-report"],
  ["alert", "webhook-source", "webhook-source"],
  ["member", "invitation", "invitation"],
  ["record", "permit", undefined],
  ["review", "field", undefined],
])("a change of a %s of the type %s names the kind %s", (kind, type, named) => {
  const { data } = cloudEvent({ ...event, kind, type }, { cursor: "c" });
  expect((data as { kind?: string }).kind).toBe(named);
});
