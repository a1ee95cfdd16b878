import { describe, expect, test } from "vitest";
import { extract, failureOf, makeDocx, makeXlsx, makeZip, paragraph } from "./build-files.ts";

const mebibyte = 1024 * 1024;

/** Overwrites the unpacked size in both headers of every entry. */
function lieAboutSizes(zip: Uint8Array, claimed: number): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = 0; at + 4 < bytes.length; at += 1) {
    const signature = bytes.readUInt32LE(at);
    if (signature === 0x04034b50) bytes.writeUInt32LE(claimed, at + 22);
    if (signature === 0x02014b50) bytes.writeUInt32LE(claimed, at + 24);
  }
  return bytes;
}

describe("zip containers", () => {
  const bomb = (): Uint8Array =>
    makeDocx("", { "word/document.xml": Buffer.alloc(65 * mebibyte, " ") });

  test("a bomb is refused before it is unpacked", async () => {
    const error = await failureOf(extract(bomb(), { filename: "bomb.docx" }));
    expect(error.code).toBe("limit-exceeded");
    expect(error.message).toBe(
      "This file was not read: one of its parts unpacks to more than 64 MiB.",
    );
  });

  test("a bomb with a small declared size is stopped at that size", async () => {
    const file = lieAboutSizes(bomb(), 100);
    expect((await failureOf(extract(file, { filename: "bomb.docx" }))).code).toBe("corrupt");
  });

  test("declared sizes that are too large mean a damaged file", async () => {
    const file = lieAboutSizes(makeDocx(paragraph("Hi")), 50 * mebibyte);
    expect((await failureOf(extract(file, { filename: "a.docx" }))).code).toBe("corrupt");
  });

  test("the parts of one file have a total limit", async () => {
    const sheet = `<row><c t="inlineStr"><is><t>${"x".repeat(4000)}</t></is></c></row>`;
    const file = makeXlsx({ One: sheet, Two: sheet, Three: sheet });
    const work = extract(file, { filename: "a.xlsx", limits: { zipTotalBytes: 10_000 } });
    expect((await failureOf(work)).code).toBe("limit-exceeded");
  });

  test("a container with too many parts is refused", async () => {
    const parts: Record<string, string> = { "word/document.xml": "" };
    for (let index = 0; index < 5_000; index += 1) parts[`p${index}`] = "";
    const error = await failureOf(extract(makeZip(parts), { filename: "a.docx" }));
    expect(error.message).toBe("This file was not read: it has more than 5000 parts.");
  });

  test("a changed byte and a truncated file are detected", async () => {
    const file = Buffer.from(makeDocx(paragraph("A fee of £100 is due.".repeat(50))));
    const cut = file.subarray(0, file.length - 40);
    expect((await failureOf(extract(cut, { filename: "a.docx" }))).code).toBe("corrupt");
    const at = file.indexOf("word/document.xml") + 60;
    file.writeUInt8(file.readUInt8(at) ^ 0xff, at);
    expect((await failureOf(extract(file, { filename: "a.docx" }))).code).toBe("corrupt");
  });

  test("a part with a password", async () => {
    const file = Buffer.from(makeDocx(paragraph("x")));
    for (let at = 0; at + 4 < file.length; at += 1) {
      if (file.readUInt32LE(at) === 0x02014b50) file.writeUInt16LE(1, at + 8);
    }
    expect((await failureOf(extract(file, { filename: "a.docx" }))).code).toBe("encrypted");
  });
});
