import { crc32, deflateSync } from "node:zlib";
import { beforeAll, expect, test, vi } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import type { ApiCase } from "#test/support/api-cases.ts";
import {
  file,
  form,
  makeContext,
  send,
  untilDone,
  uploaded,
} from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";

const records = "/v4/data/documents/records";
const jobs = "/v4/data/documents/jobs";
/** A gray square as a PNG, with other bytes each time. */
function grayPicture(size: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  const rows = Buffer.alloc((size + 1) * size, 140);
  for (let y = 0; y < size; y += 1) rows[y * (size + 1)] = 0;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      chunk("tEXt", Buffer.from(`Comment\0${crypto.randomUUID()}`)),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

const unknownId = "01900000-0000-7000-8000-00000000dead";
const inTenant = { "x-tenant-id": "{tenant}" };
const inOther = { "x-tenant-id": "{other}" };

describePlatform("the jobs of documents", (the) => {
  let context: Context;
  let made: Record<string, string>;

  /** One successful job, which all reading cases share. */
  beforeAll(async () => {
    context = await makeContext(the());
    made = { job: (await uploaded(the(), context, "The wall is 2.4 metres high.")).jobId };
  });
  const before = async () => made;

  apiCases(the, [
    {
      name: "a viewer reads the tracker",
      as: "tenant-viewer",
      method: "GET",
      path: `${jobs}/{job}`,
      headers: inTenant,
      before,
      expect: {
        status: 200,
        body: {
          status: "succeeded",
          percentCompleted: 100,
          stages: ["store", "extract", "classify", "analyze", "index"].map((name) => ({
            name,
            status: "succeeded",
            attempt: 1,
          })),
        },
      },
    },
    {
      name: "the trackers, newest first",
      as: "tenant-viewer",
      method: "GET",
      path: `${jobs}?limit=500`,
      headers: inTenant,
      before,
      expect: { status: 200 },
    },
    ...["", "/retry", "/cancel"].map((action): ApiCase => ({
      name: `another workspace's tracker is 404${action}`,
      as: "outsider",
      method: action === "" ? "GET" : "POST",
      path: `${jobs}/{job}${action}`,
      headers: inOther,
      before,
      expect: { status: 404, code: "not-found" },
    })),
    ...["/retry", "/cancel"].map((action): ApiCase => ({
      name: `a viewer may not ask for ${action}`,
      as: "tenant-viewer",
      method: "POST",
      path: `${jobs}/{job}${action}`,
      headers: inTenant,
      before,
      expect: { status: 403, code: "permission-denied" },
    })),
    ...["/retry", "/cancel"].map((action): ApiCase => ({
      name: `what went well can't be asked for ${action}`,
      as: "tenant-staff",
      method: "POST",
      path: `${jobs}/{job}${action}`,
      headers: inTenant,
      before,
      expect: { status: 409, code: "job-not-retryable", body: { jobStatus: "succeeded" } },
    })),
    {
      name: "an unknown tracker is 404",
      method: "GET",
      path: `${jobs}/${unknownId}`,
      headers: inTenant,
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("a cancelled job and its document have the status", async () => {
    const body = form(
      the(),
      ["planning_application_id", context.application],
      ["files", file("long.txt", "A sentence about a wall. ".repeat(100_000))],
    );
    const { jobId, documentId } = uploadAccepted.parse((await send(the(), body)).json);
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const cancelled = await the()
      .as("tenant-staff")
      .post(`${jobs}/${jobId}/cancel`, undefined, { headers });
    expect(cancelled).toMatchObject({ status: 202, json: { status: "cancelled" } });
    const record = await the().as("tenant-viewer").get(`${records}/${documentId}`, { headers });
    expect(record.json).toMatchObject({ status: "cancelled", indexStatus: "failed" });
  });

  test("a failed job has the reason, and can be retried", async () => {
    const body = form(
      the(),
      ["planning_application_id", context.application],
      ["files", file("broken.pdf", "%PDF-1.7 broken")],
    );
    const { jobId } = uploadAccepted.parse((await send(the(), body)).json);
    expect(await untilDone(the(), jobId)).toMatchObject({
      status: "failed",
      error: { code: "corrupt", message: expect.stringMatching(/damaged/) },
    });
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const path = `${jobs}/${jobId}/retry`;
    const retried = await the().as("tenant-staff").post(path, undefined, { headers });
    expect(retried.json).toMatchObject({ status: "queued" });
    expect(retried.headers.get("location")).toBe(`${the().baseUrl}${jobs}/${jobId}`);
    expect(await untilDone(the(), jobId)).toMatchObject({ status: "failed", attempt: 2 });
  });

  test("a page without text after recognition is named, also after a retry", async () => {
    const body = form(
      the(),
      ["planning_application_id", context.application],
      ["files", file("photo.png", grayPicture(200))],
    );
    const { jobId, documentId } = uploadAccepted.parse((await send(the(), body)).json);
    const incomplete = {
      status: "completed_with_errors",
      error: {
        code: "pages-without-text",
        message: "No text was found on page 1, which is only a picture.",
      },
    };
    const ended = await untilDone(the(), jobId);
    expect(ended).toMatchObject(incomplete);
    expect(ended.stages?.[1]).toMatchObject({ name: "extract", status: "completed_with_errors" });
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const record = await the().as("tenant-viewer").get(`${records}/${documentId}`, { headers });
    expect(record.json).toMatchObject({
      status: "ready",
      mediaType: "image/png",
      pages: 1,
      properties: { unreadPages: [1] },
    });
    await the().as("tenant-staff").post(`${jobs}/${jobId}/retry`, undefined, { headers });
    expect(await untilDone(the(), jobId)).toMatchObject({ ...incomplete, attempt: 2 });
  });

  test("content that was left out is named, and the job is not a success", async () => {
    const armour = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----";
    const message = `From: a@b.example\nTo: c@d.example\nSubject: Secret\n\n${armour}`;
    const { jobId } = await uploaded(the(), context, message, "secret.eml");
    const said = expect.stringMatching(/was not read: it is encrypted \(PGP\)/);
    expect(await untilDone(the(), jobId)).toMatchObject({
      status: "completed_with_errors",
      error: { code: "content-left-out", message: said },
      documents: [{ status: "ready", warnings: [said] }],
    });
  });

  test("properties of a file may have text that no database stores", async () => {
    const message = "From: a@b.example\nTo: c@d.example\nSubject: =?utf-8?Q?A=00B?=\n\nThe wall.";
    const { jobId } = await uploaded(the(), context, message, "message.eml");
    expect(await untilDone(the(), jobId)).toMatchObject({ status: "succeeded" });
  });

  test("each change is an event, up to [DONE]", async () => {
    const body = form(
      the(),
      ["planning_application_id", context.application],
      ["files", file("pushed.txt", crypto.randomUUID())],
    );
    const { jobId } = uploadAccepted.parse((await send(the(), body)).json);
    const response = await the()
      .as("tenant-viewer")
      .fetch("GET", `${jobs}/${jobId}`, {
        headers: { "x-tenant-id": the().workspaces.tenant, accept: "text/event-stream" },
      });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
    expect(lines.at(-1)).toBe("data: [DONE]");
    expect(JSON.parse(lines.at(-2)?.slice(6) ?? "")).toMatchObject({
      jobId,
      status: "succeeded",
    });
  });

  test("a watch ends when the caller disconnects before the first event", async () => {
    const { jobs: trackers } = the().platform.services.documents;
    const watch = trackers.watch.bind(trackers);
    const caller = new AbortController();
    const over = Promise.withResolvers<void>();
    const spy = vi.spyOn(trackers, "watch").mockImplementation(async function* (...what) {
      try {
        for await (const event of watch(...what)) {
          caller.abort();
          yield event;
        }
      } finally {
        over.resolve();
      }
    });
    const request = new Request(`${the().baseUrl}${jobs}/${made["job"] ?? ""}`, {
      headers: {
        authorization: `Bearer ${the().users["tenant-viewer"].token}`,
        "x-tenant-id": the().workspaces.tenant,
        accept: "text/event-stream",
      },
      signal: caller.signal,
    });
    const response = await the().platform.fetch(request);
    spy.mockRestore();
    expect(await response.text()).not.toContain("data:");
    await over.promise;
  });

  test("events of an unknown job are 404", async () => {
    const response = await the()
      .as("tenant-viewer")
      .fetch("GET", `${jobs}/${unknownId}`, {
        headers: { "x-tenant-id": the().workspaces.tenant, accept: "text/event-stream" },
      });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });
});
