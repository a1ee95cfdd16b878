import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cloudEvent, type CloudEvent } from "#contract/platform/realtime.ts";
import { listen, type PlatformServer } from "#server/platform/listen.ts";
import { describePlatform, field } from "#test/support/platform.ts";

/** Larger than what both ends of a connection hold for a reader that does not read. */
const large = { count: 28, length: 256 * 1024 };
const small = 1_040;
const perBatch = { large: 28, small: 520 };

/** The bytes of a chunked body (RFC 9112, 7.1). */
function dechunked(bytes: Buffer): string {
  const parts: Buffer[] = [];
  let at = bytes.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, end).toString(), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** The changes of a body of server-sent events. */
function changesOf(body: string): CloudEvent[] {
  const texts = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, text = ""]) => text);
  const events = texts.map((text) => cloudEvent.parse(JSON.parse(text)));
  return events.filter(({ type }) => type !== "svc.feed.bookmark");
}

describePlatform("a reader over HTTP that does not read", (the) => {
  let server: PlatformServer;
  beforeAll(async () => {
    server = await listen({ host: "127.0.0.1", port: 0 }, the().platform, Promise.resolve());
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const type = { name: "Case", slug: "case", properties: { note: { type: "text" } } };
    await the().as("tenant-builder").post("/v4/data/resources/object-types", type, { headers });
  });
  afterAll(() => server.stop(true));

  async function addAll(count: number, atOnce: number, note: string): Promise<string[]> {
    const ids: string[] = [];
    const path = `/v4/data/resources/${the().workspaces.tenant}/case/batch/create`;
    while (ids.length < count) {
      const items = Array.from({ length: atOnce }, () => ({ note }));
      const { json } = await the().as("tenant-builder").post(path, { items, atomic: true });
      ids.push(...(json as { results: { id: string }[] }).results.map(({ id }) => id));
    }
    return ids;
  }

  function request(query: Record<string, string>): Socket {
    const all = { tenant_id: the().workspaces.tenant, types: "case", ...query };
    const path = `/v4/realtime/events?${new URLSearchParams(all).toString()}`;
    const token = the().users["tenant-viewer"].token;
    const fields = `Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${token}`;
    const socket = connect(Number(server.port), "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${fields}\r\n\r\n`),
    );
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  test("has its events without a gap, then the end, and continues from its cursor", async () => {
    const slow = request({ full: "true" });
    const received: Buffer[] = [];
    const ended = new Promise((resolve) => slow.once("close", resolve));
    await new Promise((resolve) =>
      slow.once("data", (chunk: Buffer) => {
        slow.pause();
        received.push(chunk);
        resolve(undefined);
      }),
    );
    const ids = await addAll(large.count, perBatch.large, "-".repeat(large.length));
    ids.push(...(await addAll(small, perBatch.small, "short")));
    slow.on("data", (chunk: Buffer) => received.push(chunk));
    slow.resume();
    await ended;
    const body = dechunked(Buffer.concat(received));
    expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
    const seen = changesOf(body).map(({ subject }) => subject);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(ids.length);
    expect(seen).toEqual(ids.slice(0, seen.length).map((id) => `case/${id}`));
    const cursor = changesOf(body).at(-1)?.svccursor ?? "";
    const path = `/v4/realtime/events?types=case&cursor=${cursor}`;
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const next = await the().as("tenant-viewer").fetch("GET", path, { headers });
    const rest: string[] = [];
    const wanted = ids.slice(seen.length).map((id) => `case/${id}`);
    let text = "";
    for await (const chunk of next.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const whole = text.lastIndexOf("\n\n") + 2;
      rest.push(...changesOf(text.slice(0, whole)).map(({ subject = "" }) => subject));
      text = text.slice(whole);
      if (rest.length >= wanted.length) break;
    }
    expect(rest).toEqual(wanted);
    expect(field(changesOf(body)[0]?.data, "record")).toMatchObject({ version: 1 });
  });
});
