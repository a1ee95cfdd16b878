import { describe, expect, test } from "vitest";
import { contentOfObject } from "#server/text/extraction/formats/embedded/linked-objects.ts";
import { extract, makeDocx, makePdf, paragraph, pdfLines } from "../build-files.ts";
import { compoundFile, packedFile } from "./compound-file.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const mark = { "\u0001CompObj": bytes("Object\0") };

describe("contentOfObject", () => {
  test("a packed file has its own name, also with letters of another script", async () => {
    const content = bytes("words");
    for (const label of ["notes.txt", "C:\\Papers\\notes.txt", "/home/ann/notes.txt"]) {
      const found = await contentOfObject("oleObject1.bin", packedFile(label, content));
      expect(found).toMatchObject({ name: "notes.txt" });
    }
    const found = await contentOfObject("oleObject1.bin", packedFile("письмо.txt", content));
    expect(found).toEqual({ name: "письмо.txt", bytes: Uint8Array.from(content) });
  });

  test.each(["CONTENTS", "Package", "EmbeddedOdf"])("a file in the stream %s", async (stream) => {
    const pdf = makePdf([pdfLines(["Plan"])]);
    const found = await contentOfObject("a.bin", compoundFile({ ...mark, [stream]: pdf }));
    expect(found).toMatchObject({ name: "a.bin" });
    expect(typeof found === "object" && Buffer.from(found.bytes).equals(pdf)).toBe(true);
  });

  test("a document of an old format is the compound file itself", async () => {
    const file = compoundFile({ ...mark, WordDocument: bytes("text") });
    expect(await contentOfObject("a.bin", file)).toEqual({ name: "a.bin", bytes: file });
  });

  test("a stream of packed files may have the data of another program", async () => {
    const picture = Buffer.concat([Buffer.alloc(4), bytes("BM picture")]);
    const file = compoundFile({ ...mark, "\u0001Ole10Native": picture });
    expect(await contentOfObject("a.bin", file)).toEqual({
      name: "a.bin",
      bytes: Uint8Array.from(bytes("BM picture")),
    });
  });

  test("a packed file that is cut off is what there is of it", async () => {
    const cut = Buffer.concat([Buffer.alloc(4), Buffer.from([2, 0]), bytes("a.txt")]);
    const file = compoundFile({ ...mark, "\u0001Ole10Native": cut });
    expect(await contentOfObject("a.bin", file)).toMatchObject({ name: "a.bin" });
  });

  test("formulas, unknown objects, and data of extensions", async () => {
    const formula = compoundFile({ ...mark, "Equation Native": bytes("x") });
    expect(await contentOfObject("a.bin", formula)).toBe("formula");
    expect(await contentOfObject("a.bin", compoundFile({ ...mark, Photo: bytes("x") }))).toBe(
      "unknown",
    );
    expect(await contentOfObject("a.bin", compoundFile({ Extension: bytes("x") }))).toBe("nothing");
  });

  test("a link of an RTF file has its content elsewhere", async () => {
    const link = Buffer.from("010500000100000004000000", "hex");
    expect(await contentOfObject("object 1", link)).toBe("nothing");
  });

  test("a damaged compound file is given as it is", async () => {
    const file = compoundFile({ ...mark, "Equation Native": bytes("x") }).slice(0, 600);
    expect(await contentOfObject("a.bin", file)).toEqual({ name: "a.bin", bytes: file });
  });
});

describe("objects in a document", () => {
  test("formulas of the older editor are counted, and unknown objects are named", async () => {
    const formula = (text: string): Uint8Array =>
      compoundFile({ ...mark, "Equation Native": bytes(text) });
    const document = makeDocx(paragraph("Text."), {
      "word/embeddings/oleObject1.bin": formula("a"),
      "word/embeddings/oleObject2.bin": formula("b"),
      "word/embeddings/oleObject3.bin": compoundFile({ ...mark, Photo: bytes("x") }),
    });
    const { leftOut, warnings } = await extract(document, { filename: "a.docx" });
    expect(leftOut).toMatch(/^2 formulas of this document were not read/);
    expect(warnings).toContain(
      "The object oleObject3.bin within this document was read as its picture only.",
    );
  });
});
