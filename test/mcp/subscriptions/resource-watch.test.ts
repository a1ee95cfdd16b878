import { expect, test } from "vitest";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { AgentHost } from "#mcp/host.ts";
import { eventually } from "#test/support/eventually.ts";
import { changedResources, ResourceWatch } from "#mcp/subscriptions/resource-watch.ts";

const workspace = "01890000-0000-7000-8000-000000000000";
const base = `svc://${workspace}`;
const event = (type: string, data: Record<string, unknown>): CloudEvent => ({
  specversion: "1.0",
  id: "1.2.0",
  source: "/v4/workspaces/x",
  type,
  data,
});

test("a change is of its record, its list, and all parts of its document", () => {
  const watched = new Map(
    [
      "records/permit",
      "records/permit/7",
      "records/permit/8",
      "records/other",
      "documents/d",
      "documents/d/pages/1",
      "documents/dd",
    ].map((path) => [`${base}/${path}`, 1]),
  );
  const of = (type: string, data: Record<string, unknown>): string[] =>
    changedResources(watched, workspace, event(type, data)).map((uri) => uri.slice(base.length));
  const record = { id: "7", objectType: "permit" };
  expect(of("svc.resource.updated", record)).toEqual(["/records/permit", "/records/permit/7"]);
  expect(of("svc.file.deleted", record)).toEqual(["/records/permit", "/records/permit/7"]);
  expect(of("svc.resource.created", { id: "9", objectType: "other" })).toEqual(["/records/other"]);
  expect(of("svc.objecttype.updated", { id: "permit" })).toEqual(["/records/permit"]);
  expect(of("svc.document.updated", { id: "d" })).toEqual(["/documents/d", "/documents/d/pages/1"]);
  expect(of("svc.alert.raised", { id: "7" })).toEqual([]);
});

/** A host whose streams end, are refused, or have what the test sends. */
function watching(streams: readonly (CloudEvent | Error | "end")[][]) {
  const open = [...streams];
  const updated: string[] = [];
  const ended: string[] = [];
  const host: Pick<AgentHost, "changes"> = {
    async *changes(_workspaceId, { signal, onOpen }) {
      for (const item of open.shift() ?? []) {
        if (item instanceof Error) throw item;
        onOpen();
        await Bun.sleep(1);
        if (item === "end") return;
        yield item;
      }
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  };
  const watch = new ResourceWatch(host, {
    updated: (uri) => void updated.push(uri.slice(base.length)),
    ended: (uris, reason) => void ended.push(`${uris.length} ${reason}`),
  });
  return { watch, updated, ended };
}

test("a reset is a change of everything, and the watch goes on", async () => {
  const reset = event("svc.feed.reset", { cursor: "next" });
  const changed = event("svc.document.updated", { id: "d" });
  const { watch, updated, ended } = watching([[reset, "end"], [changed]]);
  await watch.add([`${base}/documents/d`, `${base}/records/permit`]);
  const all = ["/documents/d", "/records/permit", "/documents/d"];
  await eventually(() => expect(updated).toEqual(all));
  watch.close();
  await Bun.sleep(5);
  expect(ended).toEqual([]);
});

test("the end of the right is reported once, and a refused workspace is the caller's fault", async () => {
  const { watch, ended } = watching([["end"], [new Error("no such workspace")]]);
  await watch.add([`${base}/documents/d`]);
  await eventually(() => expect(ended).toHaveLength(1));
  expect(ended).toEqual(["1 the platform has ended the stream of changes"]);
  await expect(watch.add([`${base}/documents/d`])).rejects.toThrow("no such workspace");
  await expect(watch.add(["svc://here/records/x"])).rejects.toThrow("not the address");
  const many = Array.from({ length: 1_001 }, (_, at) => `${base}/documents/${at}`);
  await expect(watch.add(many)).rejects.toThrow("at most 1000 resources");
});
