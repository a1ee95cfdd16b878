import { describe, expect, it } from "vitest";
import { ChangedFileError, encodeMultipart, exactBytes } from "#client/request/uploads.ts";

const blob = (text: string) => new Blob([text]);

async function bodyOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

describe("a multipart form", () => {
  it("has these very bytes", async () => {
    const form = encodeMultipart(
      {
        fields: [
          ["mode", "full"],
          ["note", "two\nlines"],
        ],
        filesField: "files",
        files: [{ filename: "a.txt", contentType: "text/plain", content: blob("hello") }],
      },
      "BOUNDARY",
    );
    const body = await bodyOf(form.chunks());
    expect(Buffer.from(body).toString()).toBe(
      [
        "--BOUNDARY",
        'content-disposition: form-data; name="mode"',
        "",
        "full",
        "--BOUNDARY",
        'content-disposition: form-data; name="note"',
        "",
        "two",
        "lines",
        "--BOUNDARY",
        'content-disposition: form-data; name="files"; filename="a.txt"',
        "content-type: text/plain",
        "",
        "hello",
        "--BOUNDARY--",
        "",
      ].join("\r\n"),
    );
    expect(form.size).toBe(body.byteLength);
    expect(form.contentType).toBe("multipart/form-data; boundary=BOUNDARY");
  });

  it.each([
    "plän.pdf",
    '日本語 "quoted".pdf',
    "a\r\nX-Evil: 1.pdf",
    "100%25.pdf",
    "😀.txt",
    "\ud800.txt",
  ])(
    "of the file name %j is what a form parser reads back, with the announced length",
    async (filename) => {
      const form = encodeMultipart({
        fields: [["ünïcode", "wärt"]],
        filesField: "files",
        files: [
          { filename, contentType: "application/pdf", content: blob("12345") },
          { filename: "empty", contentType: "x\r\ny", content: blob("") },
        ],
      });
      const body = await bodyOf(form.chunks());
      expect(form.size).toBe(body.byteLength);
      expect(Buffer.from(body).toString()).not.toMatch(/\r\nX-Evil/);
      const parsed = await new Response(body, {
        headers: { "content-type": form.contentType },
      }).formData();
      expect(parsed.get("ünïcode")).toBe("wärt");
      const files = parsed.getAll("files").filter((entry) => entry instanceof File);
      expect(files.map(({ size }) => size)).toEqual([5, 0]);
      expect(files[1]?.name).toBe("empty");
      expect(files[0]?.name).toBe(
        filename
          .toWellFormed()
          .replaceAll('"', "%22")
          .replaceAll("\r", "%0D")
          .replaceAll("\n", "%0A"),
      );
    },
  );

  it("opens each file only when its turn comes", async () => {
    const opened: string[] = [];
    const file = (filename: string) => ({
      filename,
      contentType: "text/plain",
      content: {
        size: 1,
        stream: () => {
          opened.push(filename);
          return blob("x").stream();
        },
      },
    });
    const chunks = encodeMultipart({
      fields: [],
      filesField: "f",
      files: [file("a"), file("b")],
    }).chunks();
    await chunks.next();
    expect(opened).toEqual([]);
    await chunks.next();
    await chunks.next();
    expect(opened).toEqual(["a"]);
    await chunks.return();
  });

  it("of a file that changes is an error", async () => {
    for (const text of ["hell", "hello!"]) {
      const changed = { size: 5, stream: () => blob(text).stream() };
      await expect(bodyOf(exactBytes(changed, "a.txt"))).rejects.toBeInstanceOf(ChangedFileError);
    }
  });

  it("has another boundary each time", () => {
    const form = () => encodeMultipart({ fields: [], filesField: "f", files: [] }).contentType;
    expect(form()).not.toBe(form());
  });
});
