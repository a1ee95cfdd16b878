import { describe, expect, it } from "vitest";
import type { UploadFile, UploadMetadata } from "#client/index.ts";
import { clientOf, errorOf, problem, serve, serveRaw, tenantId } from "../servers.ts";

const planning = "0198f0a0-3333-7000-8000-000000000003";
const jobId = "0198f0a0-4444-7000-8000-000000000004";
const keys: UploadMetadata = { appKey: "planning-portal", workflowKey: "planning-assistant" };

/** A file that notes when it is opened. */
function file(text = "hello", filename = "a.txt"): UploadFile & { opened: number } {
  const blob = new Blob([text]);
  const result = {
    filename,
    opened: 0,
    content: {
      size: blob.size,
      stream: () => {
        result.opened += 1;
        return blob.stream();
      },
    },
  };
  return result;
}

function accepting() {
  return serve(() => Response.json({ jobId, documentId: "DOC-2026-000001" }, { status: 202 }));
}

/** The text fields and files of a multipart body, in order. */
async function formOf(request: { headers: Headers; body: string } | undefined) {
  const body = new Response(request?.body ?? "", {
    headers: { "content-type": request?.headers.get("content-type") ?? "" },
  });
  return [...(await body.formData()).entries()].map(([name, value]) =>
    typeof value === "string" ? `${name}=${value}` : `${name}:${value.name}:${value.size}`,
  );
}

describe("upload", () => {
  it("accepts one or several files of a web page under their names", async () => {
    const server = accepting();
    const documents = clientOf(server).useDocuments();
    const plan = new File(["%PDF-1.7"], "plan 👩‍👩‍👧.pdf", { type: "application/pdf" });
    const untyped = new File(["?"], "notes");
    await documents.upload(plan, keys);
    await documents.classify(new Set([plan, untyped]), keys);
    const forms = await Promise.all(server.seen.map(formOf));
    const files = forms.map((form) => form.filter((entry) => entry.startsWith("files:")));
    expect(files).toEqual([["files:plan 👩‍👩‍👧.pdf:8"], ["files:plan 👩‍👩‍👧.pdf:8", "files:notes:1"]]);
    expect(server.seen[1]?.body.match(/^content-type: .*(?=\r$)/gim)).toEqual([
      "content-type: application/pdf",
      "content-type: application/octet-stream",
    ]);
  });

  it("sends one form, fields before files, and leaves the response unread", async () => {
    const server = accepting();
    const documents = clientOf(server).useDocuments();
    const outcome = await documents.upload(
      { ...file("hello"), contentType: "text/plain" },
      { ...keys, correlationId: "c1", council_name: "Northwind" },
    );
    expect(outcome.status).toBe(202);
    expect((await outcome.accepted()).jobId).toBe(jobId);
    expect((await outcome.accepted()).documentId).toBe("DOC-2026-000001");
    expect(outcome.response.bodyUsed).toBe(false);
    expect(await outcome.response.json()).toEqual({ jobId, documentId: "DOC-2026-000001" });
    expect(server.seen).toHaveLength(1);
    expect(await formOf(server.seen[0])).toEqual([
      `tenant_id=${tenantId}`,
      "storage_target=resourceapi",
      "processing_mode=full",
      "vertical_key=planning-portal",
      "workflow_key=planning-assistant",
      "council_name=Northwind",
      "correlation_id=c1",
      "files:a.txt:5",
    ]);
    expect(server.seen[0]?.body).toContain(
      'filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nhello',
    );
    expect(server.seen[0]?.headers.get("content-length")).toBe(String(server.seen[0]?.body.length));
    expect(server.seen[0]?.headers.has("transfer-encoding")).toBe(false);
  });

  it("classifies with its own mode, in the same single request", async () => {
    const server = accepting();
    const documents = clientOf(server).useDocuments();
    await documents.classify(file(), { planningApplicationId: planning });
    await documents.classify(file(), {
      planningApplicationId: planning,
      processingMode: "classification",
    });
    for (const request of server.seen) {
      expect(request.path).toBe("/v4/data/documents/upload");
      expect(await formOf(request)).toContain("processing_mode=classification");
    }
    expect(server.seen).toHaveLength(2);
  });

  it("accepts equal values in both spellings, and several files", async () => {
    const server = accepting();
    await clientOf(server)
      .useDocuments()
      .upload([file("1", "a.txt"), file("22", "b.txt")], {
        planningApplicationId: planning,
        planning_application_id: planning,
        assessCaseId: planning,
        storageTarget: "resourceapi",
        processing_mode: "store_only",
      });
    expect(await formOf(server.seen[0])).toEqual([
      `tenant_id=${tenantId}`,
      "storage_target=resourceapi",
      "processing_mode=store_only",
      `planning_application_id=${planning}`,
      `assess_case_id=${planning}`,
      "files:a.txt:1",
      "files:b.txt:2",
    ]);
  });

  it("reports how far it is", async () => {
    const server = accepting();
    const steps: [number, number][] = [];
    await clientOf(server)
      .useDocuments()
      .upload(file("x".repeat(1000)), keys, {
        onProgress: (sent, total) => steps.push([sent, total]),
      });
    const last = steps.at(-1);
    expect(last?.[0]).toBe(last?.[1]);
    expect(steps.map(([sent]) => sent)).toEqual(
      steps.map(([sent]) => sent).toSorted((a, b) => a - b),
    );
  });
});

describe("upload refuses before a file is opened", () => {
  const refusals: readonly (readonly [string, UploadMetadata, string])[] = [
    ["no context", {}, "E303"],
    ["a case alone", { assessCaseId: planning }, "E305"],
    ["an app key alone", { appKey: "a" }, "E305"],
    ["a workflow key alone", { workflowKey: "w" }, "E305"],
    ["a blank context", { planningApplicationId: "  " }, "E305"],
    [
      "a blank key with a context",
      { planningApplicationId: planning, appKey: " ", workflowKey: "w" },
      "E305",
    ],
    [
      "spellings that conflict",
      { planningApplicationId: planning, planning_application_id: jobId },
      "E305",
    ],
    ["key spellings that conflict", { appKey: "a", verticalKey: "b", workflowKey: "w" }, "E305"],
    ["application_id as an alias", { application_id: planning }, "E305"],
    ["applicationId as an alias", { applicationId: planning }, "E305"],
    ["a storage downgrade", { ...keys, storage_target: "blob" }, "E305"],
    ["another workspace", { ...keys, tenant_id: jobId }, "E305"],
    ["an unknown mode", Object.assign({}, keys, { processingMode: "fast" }), "E305"],
    ["unsupported metadata", { ...keys, colour: "red" }, "E305"],
    ["a prototype name", { ...keys, constructor: "x" }, "E305"],
    ["metadata that is no string", Object.assign({}, keys, { category: 7 }), "E305"],
    ["a lifecycle", { ...keys, lifecycle: "planning-assist-v1" }, "E305"],
    ["a collection", { ...keys, collection: "c" }, "E305"],
    ["an Object Type", { ...keys, objectType: "licence" }, "E305"],
    ["a file property", { ...keys, file_property: "f" }, "E305"],
    ["an owner", { ...keys, owner: "me" }, "E305"],
    ["an authority", { ...keys, authority: "x" }, "E305"],
    ["a classifier pin", { ...keys, classifierPin: "1" }, "E305"],
    ["a context with a line end", { planningApplicationId: "PA-1\r" }, "E302"],
  ];

  it.each(refusals)("%s", async (_name, metadata, code) => {
    const server = accepting();
    const unread = file();
    const documents = clientOf(server).useDocuments();
    expect(await errorOf(documents.upload(unread, metadata))).toMatchObject({ code });
    expect(await errorOf(documents.classify(unread, metadata))).toMatchObject({ code });
    expect([server.seen.length, unread.opened]).toEqual([0, 0]);
  });

  it("classify without any metadata, and with another mode", async () => {
    const server = accepting();
    const documents = clientOf(server).useDocuments();
    expect(await errorOf(documents.classify(file()))).toMatchObject({ code: "E303" });
    expect(
      await errorOf(documents.classify(file(), { ...keys, processingMode: "full" })),
    ).toMatchObject({ code: "E305" });
    expect(server.seen).toHaveLength(0);
  });

  it("an upload without a file", async () => {
    const server = accepting();
    const error = await errorOf(clientOf(server).useDocuments().upload([], keys));
    expect(error).toMatchObject({ code: "E303" });
    expect(server.seen).toHaveLength(0);
  });

  it.each(["", "../a", "a\\b", "a\0b", "x".repeat(2000)])("the filename %j", async (name) => {
    const server = accepting();
    const error = await errorOf(clientOf(server).useDocuments().upload(file("x", name), keys));
    expect(error).toMatchObject({ code: "E305" });
    expect(server.seen).toHaveLength(0);
  });
});

describe("a file is sent once", () => {
  it.each([429, 500, 502, 503])("after %i", async (status) => {
    const server = serve(() => problem(status, "overloaded", {}, { "retry-after": "0" }));
    const outcome = await clientOf(server).useDocuments().upload(file(), keys);
    expect(outcome.status).toBe(status);
    expect(await errorOf(outcome.accepted())).toMatchObject({ code: "E203", status });
    expect(server.seen).toHaveLength(1);
  });

  it("after an expired token", async () => {
    const server = serve(() => problem(401, "token-expired"));
    const client = clientOf(server, { token: async () => "some-token" });
    expect((await client.useDocuments().upload(file(), keys)).status).toBe(401);
    expect(server.seen).toHaveLength(1);
  });

  it("when the connection breaks after the last byte, and reports it", async () => {
    const server = serveRaw(() => ({ bytes: "", reset: true }));
    const error = await errorOf(clientOf(server).useDocuments().upload(file(), keys));
    expect(error).toMatchObject({ code: "E201", exitCode: 1 });
    expect(Reflect.get(Object(error), "hint")).toMatch(/outcome is unknown.*svc docs list/);
    expect(server.connections()).toBe(1);
  });

  it("and not to its end when the platform refuses it at once", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => problem(413, "content-too-large", { detail: "at most 1 MiB" }),
    });
    let read = 0;
    const size = 256 * 1024 * 1024;
    const large = {
      filename: "large.bin",
      content: {
        size,
        stream: () =>
          new ReadableStream<Uint8Array>({
            pull(controller) {
              read += 1_048_576;
              controller.enqueue(new Uint8Array(1_048_576));
              if (read === size) controller.close();
            },
          }),
      },
    };
    const outcome = await clientOf({ url: server.url.origin }).useDocuments().upload(large, keys);
    await server.stop(true);
    expect(outcome.status).toBe(413);
    expect(await errorOf(outcome.accepted())).toMatchObject({ code: "E304", status: 413 });
    expect(read).toBeLessThan(size);
  });

  it.each([
    ["shrinks", "hell"],
    ["grows", "hello!"],
  ])("when it %s while it is read", async (_how, text) => {
    const content = { size: 5, stream: () => new Blob([text]).stream() };
    const changed = { filename: "a.txt", content };
    const documents = clientOf(accepting()).useDocuments();
    expect(await errorOf(documents.upload(changed, keys))).toMatchObject({
      code: "E305",
      message: "Invalid input: a.txt changed while it was being read",
    });
  });

  it.each([
    ["a 202 that breaks off", "HTTP/1.1 202 Accepted\r\nContent-Length: 99\r\n\r\n{", 202],
    ["what a gateway says of it", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", 502],
  ])("and %s is no reason to send it again", async (_name, bytes, status) => {
    const server = serveRaw(() => ({ bytes, holdMs: 20 }));
    const outcome = await clientOf(server).useDocuments().upload(file(), keys);
    expect(await errorOf(outcome.accepted())).toMatchObject({
      code: "E203",
      status,
      hint: expect.stringContaining("may have been accepted. Look before you send it again"),
    });
    expect(server.connections()).toBe(1);
  });

  it("and a 202 that names no job is no reason to send it again", async () => {
    const server = serve(() => Response.json({}, { status: 202 }));
    const outcome = await clientOf(server).useDocuments().upload(file(), keys);
    const error = await errorOf(outcome.accepted());
    expect(error).toMatchObject({ code: "E203", status: 202 });
    expect(Reflect.get(Object(error), "hint")).toContain("may have been accepted");
  });
});

describe("record ids", () => {
  it.each([
    "",
    " DOC-1",
    "DOC-1 ",
    "a/b",
    "../x",
    "DOC-1/content",
    "http://x/y",
    "DOC-1?x=1",
    "DOC-1#x",
    "DOC-1%2f",
    "mailto:x",
    "..",
    "a\tb",
    "x".repeat(2000),
  ])("refuses %j before the request", async (id) => {
    const server = serve(() => Response.json({}));
    const documents = clientOf(server).useDocuments();
    for (const call of [
      documents.record(id),
      documents.content(id),
      documents.delete(id),
      documents.page(id, 1),
      documents.picture(id, 1),
      documents.tables(id),
    ]) {
      expect(await errorOf(call)).toMatchObject({ code: "E305" });
    }
    expect(server.seen).toHaveLength(0);
  });

  it.each(["DOC-2026-000001", planning, planning.replaceAll("-", ""), "d_42.A", "0198f0a0"])(
    "sends %j bare, with storage target and workspace",
    async (id) => {
      const server = serve(() => Response.json({ documentId: id }));
      await clientOf(server).useDocuments().record(id, { jobId });
      expect(server.seen[0]?.path).toBe(
        `/v4/data/documents/records/${id}?storage_target=resourceapi&job_id=${jobId}`,
      );
      expect(server.seen[0]?.headers.get("x-tenant-id")).toBe(tenantId);
    },
  );
});

describe("reviews", () => {
  it("are listed, decided under a version, and looked up", async () => {
    const server = serve(({ method }) =>
      Response.json(method === "POST" ? { documentId: planning } : { items: [] }),
    );
    const documents = clientOf(server).useDocuments();
    await documents.reviews({ status: "accepted", documentId: planning, limit: 5 });
    await documents.acceptReview(planning, "label", { version: 3 });
    await documents.correctReview(planning, "fields.total", null);
    await documents.reviewHistory(planning, { limit: 2 });
    const unread = await documents.responses.reviews({ status: "open" });
    expect([unread.status, unread.bodyUsed]).toEqual([200, false]);
    expect(await errorOf(documents.acceptReview("../x", "label"))).toMatchObject({ code: "E305" });
    const record = `/v4/data/documents/records/${planning}`;
    expect(server.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["GET", `/v4/data/documents/reviews?limit=5&status=accepted&documentId=${planning}`, ""],
      ["POST", `${record}/reviews`, '{"action":"accept","target":"label"}'],
      ["POST", `${record}/reviews`, '{"action":"correct","target":"fields.total","value":null}'],
      ["GET", `${record}/history?limit=2`, ""],
      ["GET", "/v4/data/documents/reviews?status=open", ""],
    ]);
    expect(server.seen.map(({ headers }) => headers.get("if-match"))).toEqual([
      null,
      '"3"',
      null,
      null,
      null,
    ]);
    expect(server.seen.every(({ headers }) => headers.get("x-tenant-id") === tenantId)).toBe(true);
  });
});
