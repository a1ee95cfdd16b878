import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "#client/index.ts";
import { cloudEvent, type CloudEvent } from "#contract/platform/realtime.ts";
import { listen, type PlatformServer } from "#server/platform/listen.ts";
import { describePlatform, openTestPlatform, type TestPlatform } from "#test/support/platform.ts";
import { startTestThread, type TestThread } from "#test/support/reading-thread.ts";

interface OpenedSocket {
  /** The next change; bookmarks are left out. */
  next(): Promise<CloudEvent>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly socket: WebSocket;
}

function opened(url: string, headers: Readonly<Record<string, string>> = {}): OpenedSocket {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  const events: CloudEvent[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  let arrived = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    const event = cloudEvent.parse(JSON.parse(String(data)));
    if (event.type !== "svc.feed.bookmark") events.push(event);
    arrived.resolve();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    closed.resolve({ code, reason });
    arrived.resolve();
  });
  onTestFinished(() => socket.close());
  return {
    socket,
    closed: closed.promise,
    async next() {
      while (events.length === 0) {
        if (socket.readyState === WebSocket.CLOSED) throw new Error("the socket is closed");
        await arrived.promise;
        arrived = Promise.withResolvers();
      }
      const event = events.shift();
      if (event === undefined) throw new Error("there is no event");
      return event;
    },
  };
}

async function publishType(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const properties = { officer: { type: "string", indexed: true } };
  const type = { name: "Case", slug: "case", properties };
  await the.as("tenant-builder").post("/v4/data/resources/object-types", type, { headers });
}

async function add(the: TestPlatform, officer: string): Promise<string> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/case`;
  const { json, status } = await the.as("tenant-builder").post(path, { data: { officer } });
  expect(status).toBe(201);
  return `case/${(json as { id: string }).id}`;
}

async function negotiated(the: TestPlatform, body: object): Promise<string> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const answer = await the.as("tenant-viewer").post("/v4/realtime/negotiate", body, { headers });
  const { url, transports } = answer.json as { url: string; transports: string[] };
  expect(transports).toContain("websocket");
  return url;
}

describePlatform("a stream by WebSocket", (the) => {
  let server: PlatformServer;
  beforeAll(async () => {
    await publishType(the());
    server = await listen({ host: "127.0.0.1", port: 0 }, the().platform, Promise.resolve());
  });
  afterAll(() => server.stop(true));

  const origin = (): string => `http://127.0.0.1:${server.port}`;
  const here = (url: string): string => url.replace(the().baseUrl, origin());
  const path = (query: Record<string, string>): string => {
    const all = { tenant_id: the().workspaces.tenant, ...query };
    return `${origin()}/v4/realtime/events?${new URLSearchParams(all).toString()}`;
  };
  const client = () =>
    createClient({
      baseUrl: origin(),
      token: the().users["tenant-viewer"].token,
      tenantId: the().workspaces.tenant,
    });
  const viewer = () => ({ authorization: `Bearer ${the().users["tenant-viewer"].token}` });

  test("has the events of the filter in order, and continues after one", async () => {
    const where = JSON.stringify({ officer: "kim" });
    const first = opened(here(await negotiated(the(), { types: "case", where })));
    const one = first.next();
    // The first message is a bookmark: what is added after it comes.
    await new Promise((resolve) => first.socket.addEventListener("message", resolve));
    await add(the(), "lee");
    const added = [await add(the(), "kim"), await add(the(), "kim")];
    const seen = [await one, await first.next()];
    expect(seen.map(({ subject }) => subject)).toEqual(added);
    const cursor = seen[0]?.svccursor ?? "";
    const second = opened(path({ types: "case", where, cursor }), viewer());
    expect((await second.next()).subject).toBe(added[1]);
  });

  test("is followed by the client's watch, with its filter", async () => {
    const { items, feedCursor } = await client().objectTypes.list();
    expect(items.length).toBeGreaterThan(0);
    const added = [await add(the(), "lee"), await add(the(), "ann"), await add(the(), "lee")];
    const wish = { types: ["case"], where: { officer: "lee" }, cursor: feedCursor } as const;
    const watched = client().watch({ ...wish, transport: "websocket" });
    const seen: (string | undefined)[] = [];
    for await (const { subject } of watched) {
      seen.push(subject);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([added[0], added[2]]);
    await expect(
      client().watch({ transport: "websocket", cursor: "forged" }).next(),
    ).rejects.toMatchObject({ status: 410 });
  });

  test("closes with 1000 after a message of the client, or at the end of its right", async () => {
    const speaking = opened(path({}), viewer());
    await new Promise((resolve) => speaking.socket.addEventListener("message", resolve));
    speaking.socket.send("hello");
    expect(await speaking.closed).toMatchObject({ code: 1003 });
  });

  test("is refused with a problem before the upgrade", async () => {
    const handshake = {
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const refused = async (url: string, more: Record<string, string>) => {
      const { hostname, port, pathname, search } = new URL(url);
      const fields = { host: `${hostname}:${port}`, ...handshake, ...more };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
      return new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        let answer = "";
        socket.on("data", (chunk) => {
          answer += chunk.toString();
          socket.end();
        });
        socket.on("close", () => resolve(answer));
      });
    };
    const url = path({});
    expect(await refused(url, {})).toMatch(/^HTTP\/1\.1 401 /);
    expect(await refused(url, { authorization: "Bearer forged" })).toMatch(/^HTTP\/1\.1 401 /);
    const elsewhere = { ...viewer(), origin: "https://elsewhere.test" };
    expect(await refused(url, elsewhere)).toMatch(/^HTTP\/1\.1 403 [^]*origin-refused/);
    const old = await refused(url, { ...viewer(), "sec-websocket-version": "8" });
    expect(old).toMatch(/^HTTP\/1\.1 400 [^]*sec-websocket-version: 13/i);
    const forged = await refused(path({ cursor: "forged" }), viewer());
    expect(forged).toMatch(/^HTTP\/1\.1 410 [^]*feed-reset/);
    expect(await refused(path({ types: "none" }), viewer())).toMatch(/^HTTP\/1\.1 422 /);
    const other = await negotiated(the(), { kinds: "record" });
    const changed = here(other).replace("kinds=record", "kinds=member");
    expect(await refused(changed, {})).toMatch(/^HTTP\/1\.1 403 /);
    const good = await refused(url, { ...viewer(), origin: the().baseUrl });
    expect(good).toMatch(/^HTTP\/1\.1 101 [^]*x-request-id: /i);
    expect(JSON.stringify(the().log)).not.toContain("sealed1");
  });

  test("leaves nothing when the client goes", async () => {
    const left = opened(path({}), viewer());
    await new Promise((resolve) => left.socket.addEventListener("message", resolve));
    left.socket.close();
    await left.closed;
    const quick = opened(path({ types: "case" }), viewer());
    await new Promise((resolve) => quick.socket.addEventListener("message", resolve));
    const subject = await add(the(), "ann");
    expect((await quick.next()).subject).toBe(subject);
  });
});

describe("a stream by WebSocket", () => {
  test("comes through a reading thread", async () => {
    const the = await openTestPlatform("sqlite", {});
    onTestFinished(() => the.close());
    await publishType(the);
    const { baseUrl, databaseUrl } = the;
    const note = (event: object): void => expect(event).toBeUndefined();
    const thread: TestThread = await startTestThread(the.platform, { baseUrl, databaseUrl, note });
    onTestFinished(() => thread.stop());
    const url = await negotiated(the, { types: "case" });
    const stream = opened(url.replace(baseUrl, thread.origin));
    await new Promise((resolve) => stream.socket.addEventListener("message", resolve));
    const subject = await add(the, "kim");
    expect((await stream.next()).subject).toBe(subject);
  });

  test("ends at a drain with 1012, which says when to connect again", async () => {
    const the = await openTestPlatform("sqlite", {});
    onTestFinished(() => the.close());
    const server = await listen({ host: "127.0.0.1", port: 0 }, the.platform, Promise.resolve());
    onTestFinished(() => server.stop(true));
    const url = await negotiated(the, {});
    const stream = opened(url.replace(the.baseUrl, `http://127.0.0.1:${server.port}`));
    await new Promise((resolve) => stream.socket.addEventListener("message", resolve));
    await the.platform.drain(1_000);
    expect(await stream.closed).toEqual({
      code: 1012,
      reason: expect.stringMatching(/^the platform restarts; connect again after \d+ ms$/),
    });
  });
});
