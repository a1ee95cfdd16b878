import { expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";

const tenantId = "0f0e0d0c-0b0a-4908-8706-050403020100";

/** A client whose platform answers each request with the next of these responses. */
function clientOf(...answers: (() => Response)[]) {
  const cursors: (string | null)[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    token: "token",
    tenantId,
    retry: false,
    fetch: async (request) => {
      const url = new URL(request instanceof Request ? request.url : String(request));
      cursors.push(url.searchParams.get("cursor"));
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError("no further answer");
      return answer();
    },
  });
  return { client, cursors };
}

function streamed(...events: [type: string, cursor: string][]): () => Response {
  const text = events
    .map(([type, svccursor]) => {
      const event = { specversion: "1.0", id: svccursor, source: "/", type, svccursor };
      return `id: ${svccursor}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
  return () => new Response(text, { headers: { "content-type": "text/event-stream" } });
}

async function all(events: AsyncIterable<CloudEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

test("continues after a break from the last event, and ends with a reset", async () => {
  const { client, cursors } = clientOf(
    streamed(["svc.feed.bookmark", "1"], ["svc.resource.created", "2"]),
    () => new Response("{}", { status: 503 }),
    streamed(["svc.resource.updated", "3"], ["svc.feed.reset", "4"]),
  );
  expect(await all(client.watch({ types: ["licence"], cursor: "0" }))).toEqual([
    "svc.resource.created",
    "svc.resource.updated",
    "svc.feed.reset",
  ]);
  expect(cursors).toEqual(["0", "2", "2"]);
});

test("says that a deployment has no stream of other changes than those of records", async () => {
  const { client } = clientOf(() => new Response(null, { status: 404 }));
  await expect(all(client.watch({ kinds: ["document"] }))).rejects.toMatchObject({
    code: "E203",
    message: expect.stringContaining("no stream of changes"),
  });
});

test("ends with the reason of its signal", async () => {
  const stop = new AbortController();
  const { client } = clientOf(streamed(["svc.resource.created", "1"]));
  const watching = client.watch({ signal: stop.signal });
  expect((await watching.next()).value).toMatchObject({ type: "svc.resource.created" });
  stop.abort(new Error("enough"));
  await expect(watching.next()).rejects.toThrow("enough");
});
