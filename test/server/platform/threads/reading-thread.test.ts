import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeContext } from "#test/support/document-forms.ts";
import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { startNotesThread, type NotesThread } from "#test/support/notes-thread.ts";
import { startTestThread, type TestThread } from "#test/support/reading-thread.ts";

let notesThread: NotesThread;
let the: TestPlatform;
let thread: TestThread;
let notes: string;

beforeAll(async () => {
  notesThread = await startNotesThread();
  ({ the, thread, notes } = notesThread);
});
afterAll(() => notesThread.stop());

const inThread: NotesThread["inThread"] = (user) => notesThread.inThread(user);
const forwardedBy: NotesThread["forwardedBy"] = (work) => notesThread.forwardedBy(work);

async function newNote(title: string): Promise<string> {
  const made = await the.as("tenant-staff").post(notes, { title });
  return `${notes}/${String(field(made.json, "id"))}`;
}

describe("a reading thread", () => {
  test("asks the main thread for an unknown token, then serves by itself", async () => {
    const path = await newNote("first");
    const read = () => inThread("tenant-viewer").get(path);
    expect(await forwardedBy(read)).toBe(1);
    const own = await forwardedBy(async () => {
      const answered = await read();
      expect(answered.status).toBe(200);
      expect(answered.headers.get("etag")).toBe('"1"');
      expect(answered.json).toEqual((await the.as("tenant-viewer").get(path)).json);
      const listed = await inThread("tenant-viewer").get(`${notes}?where={"title":"first"}`);
      expect(listed.json).toMatchObject({ items: [{ data: { title: "first" } }] });
      expect((await inThread("tenant-viewer").get(`${notes}/${crypto.randomUUID()}`)).status).toBe(
        404,
      );
      expect((await inThread("tenant-viewer").get(`${notes}?limit=0`)).status).toBe(422);
    });
    expect(own).toBe(0);
  });

  test("forwards scans, writes and requests without a token, each once", async () => {
    const path = await newNote("handed on");
    await inThread("tenant-staff").get(path);
    const where = encodeURIComponent('{"text":{"$regex":"x"}}');
    expect(await forwardedBy(() => inThread("tenant-staff").get(`${notes}?where=${where}`))).toBe(
      1,
    );
    expect(await forwardedBy(() => inThread("tenant-staff").get(`${path}/history`))).toBe(1);
    expect(await forwardedBy(() => inThread("nobody").get("/v4/openapi.json"))).toBe(1);
    const update = { data: { title: "changed" }, version: 1 };
    const updated = await inThread("tenant-staff").put(path, update);
    expect(updated.json).toMatchObject({ version: 2, data: { title: "changed" } });
  });

  test("sees each answered write of any thread", async () => {
    const path = await newNote("version 1");
    const [main, here] = [the.as("tenant-staff"), inThread("tenant-staff")];
    for (let version = 1; version < 60; version += 1) {
      const writer = version % 2 === 0 ? main : here;
      const data = { title: `version ${version + 1}` };
      const written = await writer.put(path, { data, version });
      expect(written.status).toBe(200);
      const read = await here.get(path);
      expect(read.json).toMatchObject({ version: version + 1, data });
    }
  });

  test("sees a type's last change", async () => {
    const { tenant } = the.workspaces;
    const headers = { "x-tenant-id": tenant };
    const types = "/v4/data/resources/object-types";
    const builder = the.as("tenant-builder");
    const made = await builder.post(
      types,
      { name: "Tree", slug: "tree", properties: { height: { type: "number", indexed: true } } },
      { headers },
    );
    const id = String(field(made.json, "id"));
    const trees = `/v4/data/resources/${tenant}/tree`;
    await builder.post(trees, { height: 3 });
    const read = (query: string) => inThread("tenant-builder").get(`${trees}?${query}`);
    expect((await read("sort=height")).json).toMatchObject({ items: [{ data: { height: 3 } }] });
    expect((await read("sort=girth")).status).toBe(422);
    const properties = { height: { type: "number" }, girth: { type: "number", indexed: true } };
    const changed = await builder.patch(`${types}/${id}`, { properties, version: 1 }, { headers });
    expect(changed.status).toBe(200);
    await builder.post(trees, { height: 3, girth: 4 });
    expect((await read("sort=girth")).status).toBe(200);
    const where = encodeURIComponent('{"girth":4}');
    expect((await read(`where=${where}`)).json).toMatchObject({ items: [{ data: { girth: 4 } }] });
  });

  test("accepts a new member at the next request", async () => {
    const { tenant } = the.workspaces;
    const path = await newNote("for members");
    const stranger = inThread("outsider");
    await stranger.get(path);
    expect((await stranger.get(path)).status).toBe(404);
    const invited = await the
      .as("tenant-admin")
      .post(`/v4/platform/tenants/${tenant}/members/invite`, { email: "newcomer@example.org" });
    const secret = field(invited.json, "secret");
    await the.as("outsider").post("/v4/identity/invitations/accept", { secret });
    expect(await forwardedBy(async () => expect((await stranger.get(path)).status).toBe(200))).toBe(
      0,
    );
  });

  test("asks for every token again after a revocation", async () => {
    const path = await newNote("revoked");
    const reader = inThread("tenant-admin");
    await reader.get(path);
    expect(await forwardedBy(() => reader.get(path))).toBe(0);
    the.platform.changes.grants.raise();
    expect(await forwardedBy(() => reader.get(path))).toBe(1);
    expect(await forwardedBy(() => reader.get(path))).toBe(0);
  });

  test("counts a caller's requests together with those of the main thread", async () => {
    const path = await newNote("counted");
    const left = async (user: ReturnType<typeof inThread>): Promise<number> => {
      const answered = await user.get(path);
      return Number(/;r=(\d+);/.exec(answered.headers.get("ratelimit") ?? "")?.[1]);
    };
    await left(inThread("tenant-builder"));
    const before = await left(the.as("tenant-builder"));
    const next = await left(inThread("tenant-builder"));
    // A new window may have begun in between.
    if (next < before) expect(next).toBe(before - 1);
    const where = encodeURIComponent('{"text":{"$regex":"x"}}');
    await inThread("tenant-builder").get(`${notes}?where=${where}`);
    const after = await left(the.as("tenant-builder"));
    if (after < next) expect(after).toBe(next - 2);
  });

  test("refuses foreign hosts and pages by itself", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const refused = await inThread("tenant-viewer").get(notes, { headers });
    expect(refused.json).toMatchObject({ status: 403, code: "origin-refused" });
  });
});

describe("a forwarded request", () => {
  const open = async (): Promise<number> =>
    (await fetch(thread.origin + "/v4/openapi.json")).status;

  test("has its whole body, in chunks", async () => {
    const size = 9 * 1024 * 1024 + 17;
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const content = new Uint8Array(size).map((_, index) => bytes[index % 65_536] ?? 0);
    const { tenant } = the.workspaces;
    const type = { name: "Photo", slug: "photo", properties: { image: { type: "file" } } };
    await the
      .as("tenant-builder")
      .post("/v4/data/resources/object-types", type, { headers: { "x-tenant-id": tenant } });
    const photos = `/v4/data/resources/${tenant}/photo`;
    const made = await inThread("tenant-staff").post(photos, {});
    const file = `${photos}/${String(field(made.json, "id"))}/files/image`;
    const headers = { authorization: `Bearer ${the.users["tenant-staff"].token}` };
    const sent = await fetch(`${thread.origin}${file}?filename=image.bin`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/octet-stream" },
      body: content,
    });
    expect(sent.status).toBe(201);
    const back = await fetch(thread.origin + file, { headers });
    expect(back.headers.get("content-length")).toBe(String(size));
    expect(Buffer.from(await back.arrayBuffer()).equals(content)).toBe(true);
    const part = await fetch(thread.origin + file, {
      headers: { ...headers, range: "bytes=65530-65545" },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.slice(65_530, 65_546))).toBe(true);
  });

  test("above the size limit is refused before its body, and the thread continues", async () => {
    const headers = { authorization: `Bearer ${the.users["tenant-staff"].token}` };
    const refused = await fetch(thread.origin + notes, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: new Uint8Array(9 * 1024 * 1024),
    });
    expect(refused.status).toBe(413);
    expect(await open()).toBe(200);
  });

  test("streams events to their end", async () => {
    const { tenant } = the.workspaces;
    await makeContext(the);
    const streamed = await fetch(
      `${thread.origin}/v4/ai/chat/stream/${tenant}/planning-assistant/chat`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${the.users["tenant-staff"].token}`,
          "content-type": "application/json",
          accept: "text/event-stream",
        },
        body: JSON.stringify({ message: "How high is the wall?" }),
      },
    );
    expect(streamed.status).toBe(200);
    expect(await streamed.text()).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("ends in the main thread when its caller disconnects", async () => {
    const { tenant } = the.workspaces;
    const made = await the.as("tenant-staff").post(`/v4/data/resources/${tenant}/photo`, {});
    const file = `/v4/data/resources/${tenant}/photo/${String(field(made.json, "id"))}/files/image`;
    const { hostname, port } = new URL(thread.origin);
    const ended = Promise.withResolvers<unknown>();
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${file}?filename=half.bin HTTP/1.1\r\nhost: ${hostname}:${port}\r\n` +
        `authorization: Bearer ${the.users["tenant-staff"].token}\r\n` +
        "content-type: application/octet-stream\r\ncontent-length: 1000000\r\n\r\n",
    );
    socket.write(new Uint8Array(500_000));
    socket.on("error", ended.resolve);
    const staged = join(the.dataDirectory, "blobs", "staging");
    const files = async () => (await readdir(staged).catch(() => [])).length;
    await eventually(async () => expect(await files()).toBe(1));
    socket.destroy();
    await eventually(async () => expect(await files()).toBe(0));
    expect((await the.as("tenant-staff").get(file)).status).toBe(404);
  });

  test("keeps its cookies separate", async () => {
    const answered = await fetch(`${thread.origin}/auth/oauth2/v2.0/devicecode/verify`, {
      redirect: "manual",
    });
    const direct = await the.platform.fetch(
      new Request(`${the.baseUrl}/auth/oauth2/v2.0/devicecode/verify`),
    );
    expect(answered.headers.getSetCookie().length).toBe(direct.headers.getSetCookie().length);
    expect(answered.status).toBe(direct.status);
  });
});

test("a draining thread refuses new requests, and a stopped one no longer listens", async () => {
  const another = await startTestThread(the.platform, {
    baseUrl: the.baseUrl,
    databaseUrl: the.databaseUrl,
    note: (event) => the.log.push(event),
  });
  const read = () =>
    fetch(another.origin + notes, {
      headers: { authorization: `Bearer ${the.users["tenant-staff"].token}` },
    });
  await read();
  expect((await read()).status).toBe(200);
  another.thread.drain();
  await eventually(async () => {
    const refused = await read();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toMatch(/^[3-8]$/);
    expect(await refused.json()).toMatchObject({ code: "draining" });
  });
  await another.stop();
  await expect(fetch(another.origin)).rejects.toThrow();
});
