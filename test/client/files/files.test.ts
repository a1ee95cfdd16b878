import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient } from "#client/index.ts";
import type { Client, FetchFunction } from "#client/index.ts";
import { describePlatform, type TestPlatform } from "../../support/platform.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { errorOf, serve, token, tenantId } from "../servers.ts";

const text = "Hello world!";
const sha256 = createHash("sha256").update(text).digest("hex");
const id = "0198f0a0-2222-7000-8000-000000000002";

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** Bytes in pieces, of unknown length. */
function pipe(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
}

describePlatform("files by the client", (the) => {
  const clientWith = (platform: TestPlatform, fetch?: FetchFunction): Client =>
    createClient({
      baseUrl: platform.baseUrl,
      token: platform.users["tenant-staff"].token,
      tenantId: platform.workspaces.tenant,
      fetch: fetch ?? ((request) => platform.platform.fetch(request)),
    });
  const trees = () => clientWith(the()).useResources("tree");
  const newTree = async (): Promise<string> => (await trees().create({})).id;

  beforeAll(async () => {
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const properties = { photo: { type: "file" } };
    const type = { name: "Tree", slug: "tree", properties };
    await the().as("tenant-builder").post("/v4/data/resources/object-types", type, { headers });
  });

  it("accepts files, blobs, files on a disk and streams, with name and type", async () => {
    const path = join(await temporaryDirectory("client-files"), "disk.json");
    await Bun.write(path, text);
    const cases = [
      [new File([text], "a.png", { type: "image/png" }), {}, "a.png", "image/png"],
      [new Blob([text]), { filename: "b" }, "b", "application/octet-stream"],
      [Bun.file(path), {}, "disk.json", "application/json;charset=utf-8"],
      [pipe("Hello ", "world!"), { filename: "c" }, "c", "application/octet-stream"],
      [
        new File([text], "d.png", { type: "image/png" }),
        { filename: "e", contentType: "text/x" },
        "e",
        "text/x",
      ],
    ] as const;
    for (const [file, options, filename, contentType] of cases) {
      const tree = await newTree();
      const uploaded = await trees().uploadFile(tree, "photo", file, options);
      expect(uploaded).toEqual({
        property: "photo",
        filename,
        contentType,
        size: 12,
        sha256,
        version: 2,
      });
      const content = await trees().downloadFile(tree, "photo");
      expect(content).toMatchObject({ filename, contentType, size: 12, sha256 });
      expect(await textOf(content.chunks())).toBe(text);
    }
  });

  it("reports the sent bytes", async () => {
    const seen: [number, number][] = [];
    const onProgress = (sent: number, total: number) => void seen.push([sent, total]);
    const tree = await newTree();
    await trees().uploadFile(tree, "photo", new Blob([text]), { filename: "a", onProgress });
    expect(seen.at(-1)).toEqual([12, 12]);
    await trees().uploadFile(tree, "photo", pipe("a", "bc"), { filename: "a", onProgress });
    expect(seen.slice(-2)).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });

  it("changes only the version that is named", async () => {
    const tree = await newTree();
    const file = new Blob([text]);
    const first = await trees().uploadFile(tree, "photo", file, { filename: "a", version: 1 });
    const late = trees().uploadFile(tree, "photo", file, { filename: "b", version: 1 });
    expect(await errorOf(late)).toMatchObject({ code: "E205", status: 412 });
    expect(await errorOf(trees().deleteFile(tree, "photo", { version: 1 }))).toMatchObject({
      code: "E205",
    });
    await trees().deleteFile(tree, "photo", { version: first.version });
    expect(await errorOf(trees().downloadFile(tree, "photo"))).toMatchObject({ code: "E202" });
  });

  it("gives a URL that needs no token", async () => {
    const tree = await newTree();
    await trees().uploadFile(tree, "photo", new Blob([text]), { filename: "a" });
    const { url } = await trees().fileUrl(tree, "photo");
    const answered = await the().platform.fetch(new Request(url));
    expect(await answered.text()).toBe(text);
  });

  it("refuses a large page instead of a URL", async () => {
    const client = clientWith(the(), async () => new Response("<html>".padEnd(100_000)));
    const error = await errorOf(client.useResources("tree").fileUrl(await newTree(), "photo"));
    expect(error).toMatchObject({ code: "E203", message: expect.stringContaining("too large") });
  });

  it("refuses a file without a name before anything is sent", async () => {
    const client = clientWith(the(), () => Promise.reject(new Error("nothing may be sent")));
    const upload = client.useResources("tree").uploadFile(id, "photo", new Blob([text]));
    expect(await errorOf(upload)).toMatchObject({ code: "E303" });
  });
});

describe("an upload to another deployment", () => {
  const clientOf = (url: string) => createClient({ baseUrl: url, token, tenantId });
  const upload = (url: string) =>
    clientOf(url)
      .useResources("tree")
      .uploadFile(id, "photo", new Blob([text]), { filename: 'a "b"\n.txt' });

  it("is one request with the name in its query, the length and a key", async () => {
    const server = serve(() => Response.json({}, { status: 200 }));
    expect(await upload(server.url)).toEqual({});
    expect(server.seen).toHaveLength(1);
    const [request] = server.seen;
    expect(request?.path).toBe(
      `/v4/data/resources/${tenantId}/tree/${id}/files/photo?filename=a+%22b%22%0A.txt`,
    );
    expect(request?.headers.get("content-length")).toBe("12");
    expect(request?.headers.get("content-type")).toBe("application/octet-stream");
    expect(request?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    expect(request?.body).toBe(text);
  });

  it("that stores other bytes than were sent is an error", async () => {
    const server = serve(() => Response.json({ sha256: "0".repeat(64) }));
    expect(await errorOf(upload(server.url))).toMatchObject({
      code: "E203",
      message: "Platform API error: the platform stored other bytes than the client sent",
    });
  });

  it("that reports another size than was sent is an error", async () => {
    const server = serve(() => Response.json({ size: 23 }));
    expect(await errorOf(upload(server.url))).toMatchObject({
      code: "E203",
      message:
        "Platform API error: the platform stored other bytes than the client sent: 23 bytes, not 12",
    });
  });

  it.each([{ size: 23 }, { sha256: "0".repeat(64) }])(
    "as a document that reports %j is an error",
    async (stored) => {
      const server = serve(() =>
        Response.json({ jobId: "job-1", documents: [{ documentId: "d", ...stored }] }),
      );
      const documents = clientOf(server.url).useDocuments();
      const file = { filename: "a.txt", content: new Blob([text]) };
      const sent = await documents.upload(file, { planningApplicationId: id });
      expect(await errorOf(sent.accepted())).toMatchObject({ code: "E203" });
    },
  );

  it("that is busy is not sent a second time", async () => {
    const server = serve(() => new Response(null, { status: 503 }));
    expect(await errorOf(upload(server.url))).toMatchObject({ code: "E203", status: 503 });
    expect(server.seen).toHaveLength(1);
  });
});
