import { expect, test } from "vitest";
import type { PlacedEvent } from "#server/domains/feed/service.ts";
import { compileFilter } from "#server/domains/feed/service.ts";
import { UnsentEvents } from "#server/domains/realtime/event-queue.ts";
import { Stream } from "#server/domains/realtime/stream.ts";
import type { WorkspaceScope } from "#server/work/caller.ts";

const signed = (_workspaceId: string, position: string): string => position;
const feed = { cursors: { sign: signed, write: signed } };
const workspace: WorkspaceScope = { id: "one", role: "tenant-staff" };
const streamOf = (oid: string, role: Partial<WorkspaceScope> = {}): Stream =>
  new Stream({
    feed,
    workspace: { ...workspace, ...role },
    oid,
    token: oid,
    compiled: { filter: compileFilter({}, []), indexes: "" },
    unsent: new UnsentEvents(),
  });
const event = (more: Partial<PlacedEvent>): PlacedEvent => ({
  id: "e.1.0",
  workspaceId: "one",
  at: "2026-01-01T00:00:00.000Z",
  kind: "document",
  subject: "d",
  op: "updated",
  position: "e~1",
  ...more,
});

test("streams of the same rights share the text of an event", () => {
  const changed = event({});
  const item = streamOf("kim").itemOf(changed, undefined);
  expect(item?.text).toContain("svc.document.updated");
  expect(streamOf("lee").itemOf(changed, undefined)).toBe(item);
});

test("a role whose permissions have changed shares nothing with its former streams", () => {
  const changed = event({});
  const role = { name: "clerk" };
  const before = streamOf("kim", { ...role, permissions: new Set(["documents.record"]) });
  const same = streamOf("lee", { ...role, permissions: new Set(["documents.record"]) });
  const after = streamOf("kim", { ...role, permissions: new Set(["resources.get"]) });
  const item = before.itemOf(changed, undefined);
  expect(item).toBeDefined();
  expect(same.itemOf(changed, undefined)).toBe(item);
  expect(after.itemOf(changed, undefined)).toBeUndefined();
});

test("a conversation is an event for its participants only, in any order of the streams", () => {
  const talk = event({ kind: "conversation", participants: ["kim"] });
  expect(streamOf("lee").itemOf(talk, undefined)).toBeUndefined();
  expect(streamOf("kim").itemOf(talk, undefined)).toBeDefined();
  expect(streamOf("lee").itemOf(talk, undefined)).toBeUndefined();
});
