import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { documentJob } from "#contract/documents/jobs.ts";
import { documentRecord } from "#contract/documents/records.ts";
import { uploadAccepted } from "#contract/documents/upload.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import { encodeMultipart } from "#client/request/uploads.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { eventually } from "#test/support/eventually.ts";
import { forgetPeak, peakBytes, residentBytes } from "#test/support/process-use.ts";
import { sized } from "#test/support/size.ts";
import { oneThread, startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { describeNeeding } from "#test/support/needs.ts";

const mebibyte = 1024 * 1024;
const records = "/v4/data/documents/records";
const uploads = "/v4/data/documents/upload";

beforeAll(async () => void (await svcExecutable()), 300_000);

/** A caller of a served platform, in a new workspace with one planning application. */
async function workspaceOf(platform: RunningPlatform) {
  const authorization = `Bearer ${await platform.token()}`;
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const response = await fetch(platform.url + path, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const slug = `w-${crypto.randomUUID()}`;
  const root = { slug, displayName: "Uploads", homeRegion: "eu" };
  const tenant = String((await ask("POST", "/v4/platform/tenants", root))["id"]);
  const inTenant = { "x-tenant-id": tenant };
  const type = {
    name: "PlanningApplication",
    slug: "planning-application",
    properties: { reference: { type: "string" } },
  };
  await ask("POST", "/v4/data/resources/object-types", type, inTenant);
  const resource = `/v4/data/resources/${tenant}/planning-application`;
  const application = String((await ask("POST", resource, { reference: "PA-1" }))["id"]);
  const fields = [
    ["tenant_id", tenant],
    ["storage_target", "resourceapi"],
    ["processing_mode", "full"],
    ["planning_application_id", application],
  ] as const;
  return { authorization, tenant, inTenant, ask, fields };
}
type Workspace = Awaited<ReturnType<typeof workspaceOf>>;

/** Bytes that are generated while they are sent. */
function generated(size: number): ReadableStream<Uint8Array> {
  let left = size;
  const block = crypto.getRandomValues(new Uint8Array(65_536));
  return new ReadableStream(
    {
      pull(controller) {
        if (left === 0) return controller.close();
        const piece = block.slice(0, Math.min(left, block.length));
        left -= piece.length;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 2 },
  );
}

type FormFields = readonly (readonly [name: string, value: string])[];

function bodyOf(
  { fields }: { readonly fields: FormFields },
  content: ReadableStream<Uint8Array> | string,
  size: number,
) {
  return encodeMultipart({
    fields,
    filesField: "files",
    files: [
      {
        filename: "large.txt",
        contentType: "text/plain",
        content: {
          size,
          stream: () => (typeof content === "string" ? new Blob([content]).stream() : content),
        },
      },
    ],
  });
}

async function upload(platform: RunningPlatform, workspace: Workspace, text: string) {
  const form = bodyOf(workspace, text, Buffer.byteLength(text));
  const response = await fetch(platform.url + uploads, {
    method: "POST",
    headers: { authorization: workspace.authorization, "content-type": form.contentType },
    body: form.chunks(),
  });
  expect(response.status).toBe(202);
  return uploadAccepted.parse(await response.json());
}

async function storedFiles(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, "blobs");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const noProc = process.platform === "linux" ? undefined : "needs /proc to see a process's memory";

describeNeeding("a file that is larger than the memory for it", noProc, () => {
  test("raises the platform's memory by no more than 64 MiB", async () => {
    await using platform = await startPlatform();
    const workspace = await workspaceOf(platform);
    // The first upload also loads code, which does not count.
    await upload(platform, workspace, "a first one");
    const before = (await residentBytes(platform.pid)) ?? Number.NaN;
    await forgetPeak(platform.pid);
    const size = sized(256, 1024) * mebibyte;
    const form = bodyOf(workspace, generated(size), size);
    const response = await fetch(platform.url + uploads, {
      method: "POST",
      headers: {
        authorization: workspace.authorization,
        "content-type": form.contentType,
      },
      body: form.chunks(),
    });
    expect(await response.text()).toContain('"status":"queued"');
    const peak = (await peakBytes(platform.pid)) ?? Number.NaN;
    expect((peak - before) / mebibyte).toBeLessThanOrEqual(64);
  }, 120_000);
});

test("a refusal comes before the end of the file, and closes the connection", async () => {
  await using platform = await startPlatform();
  const workspace = await workspaceOf(platform);
  const withoutContext = workspace.fields.slice(0, 3);
  const form = bodyOf({ fields: withoutContext }, generated(1024 * mebibyte), 1024 * mebibyte);
  const socket = connect(Number(new URL(platform.url).port), "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  let answer = "";
  socket.on("data", (data) => (answer += data.toString()));
  socket.write(
    `POST ${uploads} HTTP/1.1\r\nhost: ${new URL(platform.url).host}\r\n` +
      `authorization: ${workspace.authorization}\r\ncontent-type: ${form.contentType}\r\n` +
      `content-length: ${form.size}\r\n\r\n`,
  );
  // Only the fields and the file's first 64 KiB of a gigabyte are sent.
  let sent = 0;
  for await (const chunk of form.chunks()) {
    socket.write(chunk);
    sent += chunk.length;
    if (sent > 65_536) break;
  }
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 422 /);
  expect(answer).toContain('"code":"document-context-missing"');
  expect(await storedFiles(platform.dataDir)).toEqual([]);
}, 60_000);

test("kill -9 during an upload leaves no document and no file", async () => {
  const dataDir = await temporaryDirectory("killed-upload");
  const first = await startPlatform({ dataDir, args: [oneThread] });
  const workspace = await workspaceOf(first);
  const accepted = await upload(first, workspace, "This one was accepted before.");
  const form = bodyOf(workspace, generated(64 * mebibyte), 64 * mebibyte);
  const socket = connect(Number(new URL(first.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `POST ${uploads} HTTP/1.1\r\nhost: ${new URL(first.url).host}\r\n` +
      `authorization: ${workspace.authorization}\r\ncontent-type: ${form.contentType}\r\n` +
      `content-length: ${form.size}\r\n\r\n`,
  );
  let sent = 0;
  for await (const chunk of form.chunks()) {
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve));
    sent += chunk.length;
    if (sent > 32 * mebibyte) break;
  }
  await eventually(async () => {
    expect((await storedFiles(dataDir)).filter((name) => name.endsWith(".part"))).toHaveLength(1);
  });
  await first.kill();
  socket.destroy();

  await using second = await startPlatform({ dataDir, args: [oneThread] });
  const files = await storedFiles(dataDir);
  expect(files).toHaveLength(1);
  const headers = { authorization: workspace.authorization, ...workspace.inTenant };
  const listed = await fetch(`${second.url}${records}?count=true`, { headers });
  expect(await listed.json()).toMatchObject({
    total: 1,
    items: [{ documentId: accepted.documentId, sha256: files[0] }],
  });
}, 60_000);

test.each([
  ["SIGTERM"],
  // Twice, as a closed terminal sends it.
  ["SIGHUP"],
] as const)(
  "%s during an upload: the upload may end, is accepted, and its job ends later",
  async (signal) => {
    const dataDir = await temporaryDirectory("ended-upload");
    const first = await startPlatform({ dataDir, args: [oneThread] });
    const workspace = await workspaceOf(first);
    const text = "The wall is two metres high. ".repeat(sized(20_000, 100_000));
    const form = bodyOf(workspace, text, Buffer.byteLength(text));
    const socket = connect(Number(new URL(first.url).port), "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString()));
    const answered = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.write(
      `POST ${uploads} HTTP/1.1\r\nhost: ${new URL(first.url).host}\r\nconnection: close\r\n` +
        `authorization: ${workspace.authorization}\r\ncontent-type: ${form.contentType}\r\n` +
        `content-length: ${form.size}\r\n\r\n`,
    );
    const body = Buffer.concat(await Array.fromAsync(form.chunks()));
    socket.write(body.subarray(0, body.length / 2));
    await eventually(async () => {
      expect((await storedFiles(dataDir)).filter((name) => name.endsWith(".part"))).toHaveLength(1);
    });
    const stopping = first.stop(signal);
    // New requests are refused during the drain.
    await eventually(async () => {
      expect((await fetch(`${first.url}/v4/data/resources/health`)).status).toBe(503);
    });
    if (signal === "SIGHUP") process.kill(first.pid, signal);
    socket.write(body.subarray(body.length / 2));
    await answered;
    expect(answer).toMatch(/^HTTP\/1\.1 202 /);
    expect(await stopping).toBe(0);

    await using second = await startPlatform({ dataDir, args: [oneThread] });
    const headers = { authorization: workspace.authorization, ...workspace.inTenant };
    const { jobId } = uploadAccepted.parse(JSON.parse(answer.slice(answer.indexOf("{"))));
    await eventually(async () => {
      const job = await fetch(`${second.url}/v4/data/documents/jobs/${jobId}`, { headers });
      expect(documentJob.parse(await job.json()).status).toBe("succeeded");
    });
  },
  120_000,
);

test("kill -9 during a job: it continues after a restart and ends", async () => {
  const dataDir = await temporaryDirectory("killed-job");
  const first = await startPlatform({ dataDir, args: [oneThread] });
  const workspace = await workspaceOf(first);
  const sentence = (index: number) => `Paragraph ${index} is about the wall number ${index % 97}.`;
  const text = Array.from({ length: sized(20_000, 60_000) }, (_, index) => sentence(index)).join(
    "\n\n",
  );
  const accepted = await upload(first, workspace, text);
  const headers = { authorization: workspace.authorization, ...workspace.inTenant };
  const job = async (platform: RunningPlatform): Promise<DocumentJob> => {
    const url = `${platform.url}/v4/data/documents/jobs/${accepted.jobId}`;
    return documentJob.parse(await (await fetch(url, { headers })).json());
  };
  const stage = ({ stages }: DocumentJob, name: string) =>
    stages?.find((each) => each.name === name);
  await eventually(async () =>
    expect(stage(await job(first), "index")?.progress?.done).toBeGreaterThan(3),
  );
  await first.kill();

  await using second = await startPlatform({ dataDir, args: [oneThread] });
  const ended = await eventually(async () => {
    const current = await job(second);
    expect(current.status).toBe("succeeded");
    return current;
  });
  expect(stage(ended, "extract")).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(stage(ended, "index")).toMatchObject({ status: "succeeded", attempt: 2 });
  const url = `${second.url}${records}/${accepted.documentId}`;
  const record = documentRecord.parse(await (await fetch(url, { headers })).json());
  expect(record).toMatchObject({ status: "ready", indexStatus: "indexed" });
  expect(record.chunkCount).toBeGreaterThan(1000);
}, 180_000);
