import { connect, type Socket } from "node:net";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DrillSession, drillType } from "#test/support/drills/session.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { oneThread, startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const twoGibibytes = 2 ** 31;
const boundary = "part-of-a-form";

let platform: RunningPlatform;
let session: DrillSession;
let token: string;
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDirectory("lines");
  platform = await startPlatform({ dataDir, args: [oneThread] });
  session = await DrillSession.create(platform);
  token = await platform.token();
});

afterAll(async () => {
  await platform.stop();
});

const address = (end: string): string =>
  `/v4/data/resources/${session.tenantId}/${drillType.slug}${end}`;

/** The head of a request, with what its body says of itself. */
function head(path: string, fields: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Bearer ${token}`,
    `x-tenant-id: ${session.tenantId}`,
    ...fields,
    "\r\n",
  ].join("\r\n");
}

/** A connection on which the text was sent, and nothing since. */
function lineWith(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(platform.url).port), "127.0.0.1", () =>
      socket.write(text, () => resolve(socket)),
    );
    socket.once("error", reject);
  });
}

/** All that comes until the answer's body has begun. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (/\r\n\r\n[^]*\}/.test(text)) resolve(text);
    });
    socket.once("close", () => reject(new Error(`closed after ${text}`)));
    socket.once("error", reject);
  });
}

const json = "content-type: application/json";

// The platform reads on for two seconds, in which these wait together.
describe.concurrent("a body of two gibibytes is refused when it has said so:", () => {
  test.each([
    ["a record", ""],
    ["a batch", "/batch/create"],
    ["a filter", "/aggregate"],
  ])("%s", async (_name, path) => {
    const start = `${head(address(path), [json, `content-length: ${twoGibibytes}`])}{"note":"`;
    const socket = await lineWith(start);
    const answer = await answerOn(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("the limit is 8388608 bytes");
    socket.destroy();
  });

  test("and one without a length once it is beyond the limit", async () => {
    const socket = await lineWith(head(address(""), [json, "transfer-encoding: chunked"]));
    const answer = answerOn(socket);
    const chunk = `10000\r\n${"x".repeat(0x1_00_00)}\r\n`;
    for (let sent = 0; sent < 140; sent += 1) socket.write(chunk);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe("a line that breaks inside a body writes nothing:", () => {
  const items = JSON.stringify(Array.from({ length: 500 }, () => ({ marker: "cut", note: "n" })));

  test.each([
    ["a record", "", '{"marker":"cut","note":"nnn"}'],
    ["a batch", "/batch/create", items],
  ])("%s, but for its last byte", async (_name, path, body) => {
    const length = `content-length: ${Buffer.byteLength(body)}`;
    const socket = await lineWith(head(address(path), [json, length]) + body.slice(0, -1));
    await session.expect(200, "GET", "?limit=1");
    // The connection breaks without a farewell, like a pulled cable.
    socket.resetAndDestroy();
    await session.expect(200, "GET", "?limit=1");
    expect(await session.count({ marker: "cut" })).toBe(0);
  });

  test("a document", async () => {
    const form = formWith({
      tenant_id: session.tenantId,
      storage_target: "resourceapi",
      processing_mode: "store_only",
      planning_application_id: await session.makeApplication(),
    });
    const fields = [`content-type: multipart/form-data; boundary=${boundary}`];
    const length = `content-length: ${twoGibibytes}`;
    const start = head("/v4/data/documents/upload", [...fields, length]) + form;
    const socket = await lineWith(`${start}${"cut off ".repeat(50_000)}`);
    await expect.poll(uploadsUnderWay).toHaveLength(1);
    socket.resetAndDestroy();
    await expect.poll(uploadsUnderWay).toEqual([]);
    const headers = { "x-tenant-id": session.tenantId };
    const records = await session.call("GET", "/v4/data/documents/records", undefined, headers);
    expect(records).toMatchObject({ status: 200, json: { items: [] } });
  });
});

test("three hundred slow senders delay no other caller, and write nothing", async () => {
  const slow = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      lineWith(
        index % 2 === 0
          ? head(address(""), [json]).slice(0, -2)
          : `${head(address(""), [json, "content-length: 40"])}{"marker":"drip"`,
      ),
    ),
  );
  try {
    for (let turn = 0; turn < 5; turn += 1) {
      for (const socket of slow) socket.write(turn === 0 ? " " : "x");
      await session.expect(201, "POST", "", { marker: "quick" });
    }
    expect(await session.count({ marker: "quick" })).toBe(5);
    expect(await session.count({ marker: "drip" })).toBe(0);
  } finally {
    for (const socket of slow) socket.destroy();
  }
});

test("and none of it was a failure of the platform", () => {
  expect(platform.stderr()).not.toContain("request-failed");
});

/** The beginning of a form whose last part is a file. */
function formWith(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const file = `content-disposition: form-data; name="files"; filename="cut.txt"
content-type: text/plain

`;
  const all = [...parts, file.replaceAll("\n", "\r\n")];
  return all.map((part) => `--${boundary}\r\n${part}`).join("\r\n");
}

/** Files that an upload has begun and not ended. */
async function uploadsUnderWay(): Promise<string[]> {
  const found = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith("staging"))
    .map((entry) => entry.name);
}
