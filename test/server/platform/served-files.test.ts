import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const mebibyte = 1024 * 1024;

beforeAll(async () => void (await svcExecutable()), 300_000);

/** One record in a new workspace, with a file property. */
async function recordOf(platform: RunningPlatform) {
  const authorization = `Bearer ${await platform.token()}`;
  const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
    const response = await fetch(platform.url + path, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return await response.json();
  };
  const root = { slug: `w-${crypto.randomUUID()}`, displayName: "Files", homeRegion: "eu" };
  const tenant = String(field(await ask("POST", "/v4/platform/tenants", root), "id"));
  const type = { name: "Tree", slug: "tree", properties: { photo: { type: "file" } } };
  await ask("POST", "/v4/data/resources/object-types", type, { "x-tenant-id": tenant });
  const trees = `/v4/data/resources/${tenant}/tree`;
  const record = `${trees}/${String(field(await ask("POST", trees, {}), "id"))}`;
  return { authorization, ask, record, file: `${record}/files/photo` };
}

async function storedFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, "blobs"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Sends half of a 64 MiB upload and keeps the connection open. */
async function sendHalf(
  platform: RunningPlatform,
  { authorization, file }: { readonly authorization: string; readonly file: string },
  framing: string,
) {
  const socket = connect(Number(new URL(platform.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `POST ${file}?filename=half.bin HTTP/1.1\r\nhost: ${new URL(platform.url).host}\r\n` +
      `authorization: ${authorization}\r\ncontent-type: image/png\r\n${framing}\r\n\r\n`,
  );
  const isChunked = framing.startsWith("transfer-encoding");
  for (let sent = 0; sent < 32; sent += 1) {
    const piece = crypto.getRandomValues(new Uint8Array(65_536));
    if (isChunked) socket.write("10000\r\n");
    if (!socket.write(piece)) await new Promise((resolve) => socket.once("drain", resolve));
    if (isChunked) socket.write("\r\n");
  }
  await eventually(async () =>
    expect(
      (await storedFiles(platform.dataDir)).filter((name) => name.endsWith(".part")),
    ).toHaveLength(1),
  );
  return socket;
}

test.each([`content-length: ${64 * mebibyte}`, "transfer-encoding: chunked"])(
  "an upload with %s whose connection breaks keeps the previous file",
  async (framing) => {
    await using platform = await startPlatform();
    const its = await recordOf(platform);
    const headers = { authorization: its.authorization };
    const first = await fetch(`${platform.url}${its.file}?filename=whole.txt`, {
      method: "POST",
      headers,
      body: "whole",
    });
    expect(first.status).toBe(201);
    const socket = await sendHalf(platform, its, framing);
    socket.destroy();
    await eventually(async () => expect(await storedFiles(platform.dataDir)).toHaveLength(1));
    expect(await its.ask("GET", its.record)).toMatchObject({ version: 2 });
    const read = await fetch(platform.url + its.file, { headers });
    expect(await read.text()).toBe("whole");
  },
  60_000,
);

test("kill -9 during an upload leaves no reference and no file", async () => {
  const dataDir = await temporaryDirectory("killed-file");
  const first = await startPlatform({ dataDir });
  const its = await recordOf(first);
  const socket = await sendHalf(first, its, `content-length: ${64 * mebibyte}`);
  await first.kill();
  socket.destroy();
  await using second = await startPlatform({ dataDir });
  expect(await storedFiles(dataDir)).toEqual([]);
  const headers = { authorization: its.authorization };
  const record = await fetch(second.url + its.record, { headers });
  expect(await record.json()).toMatchObject({ version: 1, data: {} });
}, 60_000);

test("HEAD has the length, and a range of the file is 206", async () => {
  await using platform = await startPlatform();
  const its = await recordOf(platform);
  const headers = { authorization: its.authorization };
  const body = crypto.getRandomValues(new Uint8Array(3 * mebibyte));
  await fetch(`${platform.url}${its.file}?filename=a`, { method: "POST", headers, body });
  const head = await fetch(platform.url + its.file, { method: "HEAD", headers });
  expect(head.headers.get("content-length")).toBe(String(3 * mebibyte));
  const range = `bytes=${mebibyte}-${mebibyte + 9}`;
  const part = await fetch(platform.url + its.file, { headers: { ...headers, range } });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-length")).toBe("10");
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(body.slice(mebibyte, mebibyte + 10));
}, 60_000);
