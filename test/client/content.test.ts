import { describe, expect, it } from "vitest";
import { clientOf, errorOf, problem, serve, serveRaw } from "./servers.ts";

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

  it("that is cut is no content", async () => {
    const server = serveRaw(() => ({
      bytes: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf",
      holdMs: 100,
    }));
    const content = await clientOf(server).useDocuments().content("DOC-1");
    expect(await errorOf(read(content.chunks()))).toMatchObject({ code: "E203" });
  });

  it("that is not there is E202", async () => {
    const server = serve(() => problem(404, "not-found"));
    expect(await errorOf(clientOf(server).useDocuments().content("DOC-1"))).toMatchObject({
      code: "E202",
      message: "Document DOC-1 not found",
    });
  });
});
