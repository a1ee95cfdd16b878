import { describe, expect, it } from "vitest";
import { clientOf, errorOf, problem, serve, serveRaw } from "../servers.ts";

const record = "0198f0a0-2222-7000-8000-000000000002";

describe("content", () => {
  const bytes = new TextEncoder().encode("the original bytes");
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

  async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return Buffer.concat(parts).toString();
  }

  it("comes with its name, type, length and digest checked", async () => {
    const server = serve(
      () =>
        new Response(bytes, {
          headers: {
            "content-type": "application/pdf",
            "content-disposition":
              "attachment; filename=\"plan.pdf\"; filename*=UTF-8''pl%C3%A4n.pdf",
            "repr-digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
          },
        }),
    );
    const content = await clientOf(server)
      .useDocuments()
      .content("DOC-1", { expected: { size: bytes.length } });
    expect(content).toMatchObject({
      filename: "plän.pdf",
      contentType: "application/pdf",
      size: 18,
      sha256,
    });
    expect(await read(content.chunks())).toBe("the original bytes");
  });

  it.each([
    ["too few bytes", { size: 30 }, "18 of 30 bytes came"],
    ["too many bytes", { size: 3 }, "18 of 3 bytes came"],
    ["other bytes", { sha256: "0".repeat(64) }, "do not match their digest"],
  ])("%s fail at the end", async (_name, expected, words) => {
    const server = serve(() => new Response(bytes));
    const content = await clientOf(server).useDocuments().content("DOC-1", { expected });
    const error = await errorOf(read(content.chunks()));
    expect(error).toMatchObject({ code: "E203" });
    expect(String(error)).toContain(words);
  });

  it.each([
    [206, "the or", "a part of it came (HTTP 206)"],
    [204, null, "no content came (HTTP 204)"],
  ])("is no answer with status %i", async (status, body, words) => {
    const headers = { "content-range": "bytes 0-5/18" };
    const server = serve(() => new Response(body, { status, headers }));
    const client = clientOf(server);
    const downloads = [
      () => client.useDocuments().content("DOC-1"),
      () => client.useResources("licence").downloadFile(record, "plans"),
    ];
    for (const download of downloads) {
      const error = await errorOf(download());
      expect(error).toMatchObject({ code: "E203", message: expect.stringContaining(words) });
    }
  });

  it("that is cut is no content", async () => {
    const server = serveRaw(() => ({
      bytes: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf",
      holdMs: 100,
    }));
    const content = await clientOf(server).useDocuments().content("DOC-1");
    expect(await errorOf(read(content.chunks()))).toMatchObject({ code: "E203" });
  });

  describe("whose line breaks", () => {
    const head = (status: string, fields: readonly string[]) =>
      `HTTP/1.1 ${status}\r\n${fields.join("\r\n")}\r\n\r\n`;
    const digest = `repr-digest: sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
    const whole = head("200 OK", ["content-length: 18", 'etag: "one"', digest]);
    const partial = (range: string, length: number) =>
      head("206 Partial Content", [
        `content-length: ${length}`,
        `content-range: bytes ${range}/18`,
        'etag: "one"',
      ]);

    it("resumes where it broke, as often as it makes progress", async () => {
      const answers = [
        `${whole}the orig`,
        `${partial("8-17", 10)}inal`,
        `${partial("12-17", 6)} bytes`,
      ];
      const server = serveRaw((count) => ({ bytes: answers[count - 1] ?? "", holdMs: 50 }));
      const content = await clientOf(server).useResources("tree").downloadFile(record, "photo");
      expect(await read(content.chunks())).toBe("the original bytes");
      expect(server.connections()).toBe(3);
    });

    it.each([
      ["other bytes", head("200 OK", ["content-length: 3"]) + "new"],
      ["another range", `${partial("9-17", 9)}nal bytes`],
      ["nothing left", head("404 Not Found", ["content-length: 0"])],
    ])("is no content when there is %s", async (_name, answer) => {
      const server = serveRaw((count) => ({
        bytes: count === 1 ? `${whole}the orig` : answer,
        holdMs: 50,
      }));
      const content = await clientOf(server).useDocuments().content("DOC-1");
      expect(await errorOf(read(content.chunks()))).toMatchObject({ code: "E203" });
      expect(server.connections()).toBe(2);
    });

    it("is given up when it breaks again and again", async () => {
      const server = serveRaw((count) => ({
        bytes: count === 1 ? `${whole}the orig` : partial("8-17", 10),
        holdMs: 50,
      }));
      const content = await clientOf(server).useDocuments().content("DOC-1");
      expect(await errorOf(read(content.chunks()))).toMatchObject({ code: "E203" });
      expect(server.connections()).toBe(4);
    });
  });

  it("is given up while its next bytes are waited for", async () => {
    const server = serve(
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(bytes) })),
    );
    const stop = new AbortController();
    const content = await clientOf(server).useDocuments().content("DOC-1", { signal: stop.signal });
    const iterator = content.chunks()[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual(bytes);
    const next = errorOf(iterator.next());
    const reason = new Error("enough");
    stop.abort(reason);
    expect(await next).toBe(reason);
  });

  it("that is not there is E202", async () => {
    const server = serve(() => problem(404, "not-found"));
    expect(await errorOf(clientOf(server).useDocuments().content("DOC-1"))).toMatchObject({
      code: "E202",
      message: "Document DOC-1 not found",
    });
  });
});
