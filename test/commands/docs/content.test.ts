import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { accepted, documentWorld } from "../documents-world.ts";
import { scannedPdf } from "../../server/text/ocr/scanned-pdf.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();

async function processed(name: string): Promise<{ documentId: string; documentNumber: string }> {
  const sent = await the().upload(name);
  expect((await the().docs(["job", sent.jobId, "--wait"])).exitCode).toBe(0);
  return sent;
}

describe("docs content", () => {
  test("writes the original bytes to a pipe, or to a file whole", async () => {
    const { documentId, documentNumber } = await processed("original.txt");
    const text = await Bun.file(join(the().files, "original.txt")).text();
    const piped = await the().svc(["docs", "content", documentNumber], { as: "tenant-viewer" });
    expect(piped).toMatchObject({ exitCode: 0, stdout: text, stderr: "" });
    const path = join(await temporaryDirectory("saved"), "copy.txt");
    const saved = await the().docs(["content", documentId, "--output", path]);
    expect(saved.json).toMatchObject({ documentId, output: path, verified: true });
    expect(await Bun.file(path).text()).toBe(text);
    const json = await the().docs(["content", documentId], { fetch: platformDown });
    expect(json).toMatchObject({ exitCode: 2, json: { error: { code: "E303" } } });
  });

  test("saves the picture of a scanned page, and refuses a page of text", async () => {
    const data = deflateSync(new Uint8Array(200 * 300));
    const pages = [{ width: 200, height: 300, bits: 8, data } as const, { text: "A typed page." }];
    await Bun.write(join(the().files, "scan.pdf"), scannedPdf(pages));
    const { json } = await the().docs(["upload", "scan.pdf", ...the().context]);
    const { documentId } = accepted.parse(json);
    const path = join(await temporaryDirectory("saved"), "page.png");
    const ask = (...words: readonly string[]) => the().docs(["content", documentId, ...words]);
    const saved = await ask("--as", "picture", "--width", "100", "--output", path);
    expect(saved.json).toMatchObject({ output: path, contentType: "image/png", verified: true });
    const picture = new Bun.Image(await Bun.file(path).bytes());
    expect(await picture.metadata()).toMatchObject({ width: 100, height: 150 });
    const refused = await ask("--as", "picture", "--page", "2", "--output", path);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E305" } } });
    expect(refused.stdout).toContain("fetch the original file");
  });

  test.each([
    [["--page", "1"], "--page belongs to a part"],
    [["--as", "text", "--width", "100"], "--width belongs to a picture"],
    [["--as", "tables", "--output", "x.txt"], "--output saves the file or a picture only"],
  ])("refuses options of another part: %j", async (words, message) => {
    const called = await the().docs(["content", "DOC-2026-000001", ...words]);
    expect(called).toMatchObject({ exitCode: 2 });
    expect(called.stdout).toContain(message);
  });
});
