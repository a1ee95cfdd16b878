import { expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { NoSocketError, socketEvents } from "#client/watch/socket.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";

const tenantId = "0f0e0d0c-0b0a-4908-8706-050403020100";

type Step = readonly [type: string, cursor: string];

interface Script {
  /** The events of each socket, and the code with which the platform closes it. */
  readonly sockets: { readonly events: readonly Step[]; readonly code: number }[];
  /** The events of the streams of server-sent events. */
  readonly streams?: (readonly Step[])[];
  readonly transports?: readonly string[];
}

const eventText = ([type, svccursor]: Step): string =>
  JSON.stringify({ specversion: "1.0", id: svccursor, source: "/", type, svccursor, data: {} });

/** A platform that plays a script; returns its client, and how each stream was opened. */
function playing({ sockets, streams = [], transports = ["sse", "websocket"] }: Script) {
  const opened: string[] = [];
  const server = Bun.serve<{ readonly events: readonly Step[]; readonly code: number }>({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request, listener) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/v4/realtime/negotiate") {
        const { types = "" } = (await request.json()) as { types?: string };
        const url = `https://elsewhere.example/?types=${types}&access_token=granted`;
        const expiresAt = "2026-11-27T12:00:00Z";
        return Response.json({ url, accessToken: "granted", expiresAt, transports });
      }
      const isSocket = request.headers.has("upgrade");
      const cursor = searchParams.get("cursor") ?? "now";
      opened.push(`${isSocket ? searchParams.get("access_token") : "sse"} ${cursor}`);
      if (!isSocket) {
        const text = (streams.shift() ?? []).map((each) => `data: ${eventText(each)}\n\n`).join("");
        return new Response(text, { headers: { "content-type": "text/event-stream" } });
      }
      const data = sockets.shift();
      if (data !== undefined && listener.upgrade(request, { data })) return undefined;
      return new Response(null, { status: 410 });
    },
    websocket: {
      open(socket) {
        for (const each of socket.data.events) socket.send(eventText(each));
        socket.close(socket.data.code);
      },
      message: () => undefined,
    },
  });
  afterEveryTest(() => server.stop(true));
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { client: createClient({ baseUrl, token: "token", tenantId, retry: false }), opened };
}

async function cursorsOf(
  events: AsyncIterable<{ readonly svccursor?: string | undefined }>,
): Promise<(string | undefined)[]> {
  const cursors: (string | undefined)[] = [];
  for await (const { svccursor } of events) cursors.push(svccursor);
  return cursors;
}

const created = "svc.resource.created";
const reset: Step = ["svc.feed.reset", "9"];

test("continues by WebSocket after an end, a restart and a broken one, from the last event", async () => {
  const { client, opened } = playing({
    sockets: [
      { events: [[created, "1"]], code: 1000 },
      { events: [[created, "2"]], code: 1012 },
      { events: [[created, "3"]], code: 1011 },
      { events: [reset], code: 1000 },
    ],
  });
  const breaks: (string | undefined)[] = [];
  const onBreak = (error: Error | undefined): void => void breaks.push(error?.message);
  const watched = client.watch({ transport: "websocket", types: ["licence"], onBreak });
  expect(await cursorsOf(watched)).toEqual(["1", "2", "3", "9"]);
  expect(opened).toEqual(["granted now", "granted 1", "granted 2", "granted 3"]);
  const broken = expect.stringContaining("broke off with the code 1011");
  expect(breaks).toEqual([undefined, undefined, broken]);
});

test("reads server-sent events where no WebSocket opens, and where the platform has none", async () => {
  const refusing = playing({ sockets: [], streams: [[reset]] });
  const watched = refusing.client.watch({ transport: "websocket", cursor: "0" });
  expect(await cursorsOf(watched)).toEqual(["9"]);
  expect(refusing.opened).toEqual(["granted 0", "sse 0"]);
  const plain = playing({ sockets: [], streams: [[reset]], transports: ["sse"] });
  expect(await cursorsOf(plain.client.watch({ transport: "websocket" }))).toEqual(["9"]);
  expect(plain.opened).toEqual(["sse now"]);
});

test("a reader that is slow loses nothing: its socket ends after 1,000 events", async () => {
  const events = Array.from({ length: 1_500 }, (_, at): Step => [created, String(at)]);
  const { client } = playing({ sockets: [{ events, code: 1000 }] });
  const read = await cursorsOf(socketEvents(client, {}));
  expect(read.length).toBeGreaterThanOrEqual(1_000);
  expect(read).toEqual(events.slice(0, read.length).map(([, cursor]) => cursor));
});

test("ends with the reason of its signal, and names a socket that did not open", async () => {
  const stop = new AbortController();
  const { client } = playing({ sockets: [{ events: [[created, "1"]], code: 1000 }] });
  const watching = client.watch({ transport: "websocket", signal: stop.signal });
  expect((await watching.next()).value).toMatchObject({ svccursor: "1" });
  stop.abort(new Error("enough"));
  await expect(watching.next()).rejects.toThrow("enough");
  await expect(socketEvents(client, {}).next()).rejects.toBeInstanceOf(NoSocketError);
});
