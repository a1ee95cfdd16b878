import { expect, test } from "vitest";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { AgentHost } from "#mcp/host.ts";
import { LineSubscriptions } from "#mcp/subscriptions/line-subscriptions.ts";
import { eventually } from "#test/support/eventually.ts";

const workspace = "01890000-0000-7000-8000-000000000000";
const changeOf = (objectType: string): CloudEvent => ({
  specversion: "1.0",
  id: "1.2.0",
  source: "/v4/workspaces/x",
  type: "svc.resource.created",
  data: { id: "7", objectType },
});

/** A connection whose workspace has these changes once it is watched. */
function connected(changes: readonly CloudEvent[], workspaceId?: string) {
  let watches = 0;
  const sent: string[] = [];
  const host: AgentHost = {
    workspaceId,
    secrets: [],
    send: () => Promise.reject(new Error("no request is sent")),
    async *changes(_workspaceId, { signal, onOpen }) {
      watches += 1;
      onOpen();
      await Bun.sleep(1);
      yield* changes;
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  };
  const subscriptions = new LineSubscriptions(host, () => {});
  subscriptions.server = {
    sendToolListChanged: async () => void sent.push("tools"),
    sendResourceUpdated: async ({ uri }) => void sent.push(uri),
  };
  return { subscriptions, sent, watches: () => watches };
}

test("a list that was read is reported when a product or its routes change, once watched", async () => {
  const binding = changeOf("vertical-product-config");
  const { subscriptions, sent, watches } = connected([changeOf("permit"), binding], workspace);
  subscriptions.single.listed();
  subscriptions.single.listed();
  await eventually(() => expect(sent).toEqual(["tools"]));
  expect(watches()).toBe(1);
  subscriptions.close();
});

test("a resource that is subscribed to is reported too, and without a workspace nothing is", async () => {
  const enrolled = changeOf("tenant-vertical-enrollment");
  const { subscriptions, sent } = connected([enrolled], workspace);
  const uri = `svc://${workspace}/records/tenant-vertical-enrollment`;
  await subscriptions.single.subscribe(uri);
  await eventually(() => expect(sent).toEqual([uri, "tools"]));
  subscriptions.close();
  const without = connected([enrolled]);
  without.subscriptions.single.listed();
  await Bun.sleep(5);
  expect(without.watches()).toBe(0);
});

test("a request to listen to the list watches the records that say which tools there are", async () => {
  const { subscriptions, watches } = connected([], workspace);
  const message = {
    jsonrpc: "2.0" as const,
    id: 1,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true } },
  };
  expect(await subscriptions.open(message)).toBe(true);
  expect(watches()).toBe(1);
  subscriptions.close();
});
