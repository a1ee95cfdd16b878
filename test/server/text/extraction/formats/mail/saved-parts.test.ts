import { Sequence } from "asn1js";
import { describe, expect, test } from "vitest";
import { extract, failureOf, makePdf, pdfLines } from "../build-files.ts";
import { outlookFile } from "./outlook-file.ts";
import { bytes, envelope, oid } from "./smime-envelope.ts";
import { attribute, ids, tnef } from "./tnef-stream.ts";

const signed = "1.2.840.113549.1.7.2";

describe("a part of a message that was saved as a file", () => {
  test("a winmail.dat has its attachments, also PDFs", async () => {
    const stream = tnef(
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(ids.title, Buffer.from("count.pdf\0")),
      attribute(ids.data, Buffer.from(makePdf([pdfLines(["412 vehicles"])]))),
    );
    const { mediaType, pages, leftOut } = await extract(stream, { filename: "winmail.dat" });
    expect([mediaType, pages.map(({ text }) => text), leftOut]).toEqual([
      "application/ms-tnef",
      ["412 vehicles"],
      undefined,
    ]);
  });

  test("a winmail.dat has messages that Outlook has saved", async () => {
    const message = outlookFile({ properties: { 0x0037001f: "Weir", 0x1000001f: "It holds." } });
    const stream = tnef(
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(ids.title, Buffer.from("weir.msg\0")),
      attribute(ids.data, message),
    );
    const { pages, leftOut } = await extract(stream, { filename: "winmail.dat" });
    expect([pages.map(({ text }) => text), leftOut]).toEqual([
      ["Subject: Weir\n\nIt holds."],
      undefined,
    ]);
  });

  test.each([
    ["a message", "Content-Type: text/plain\r\n\r\nSigned words", "Signed words"],
    ["a PDF", Buffer.from(makePdf([pdfLines(["Signed pages"])])), "Signed pages"],
    ["a file", "<?xml version='1.0'?><a><b>Signed value</b></a>", "Signed value"],
  ])("what was signed (smime.p7m): %s", async (_, content, expected) => {
    const file = envelope(signed, Buffer.from(content), "several");
    const { pages } = await extract(file, { filename: "smime.p7m" });
    expect(pages[0]?.text).toContain(expected);
  });

  test("an encrypted message and a signature alone are refused by name", async () => {
    const secret = envelope("1.2.840.113549.1.7.3", Buffer.from("x"), "one");
    expect((await failureOf(extract(secret))).code).toBe("encrypted");
    const alone = bytes(new Sequence({ value: [oid(signed)] }));
    expect((await failureOf(extract(alone))).message).toContain("without the message");
  });
});
