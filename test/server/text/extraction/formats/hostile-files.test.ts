import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  extract,
  failureOf,
  makeDocx,
  makePdf,
  makePdfOf,
  makeXlsx,
  makeZip,
  paragraph,
  pdfLines,
} from "./build-files.ts";

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

describe("XML", () => {
  test("entities that multiply (billion laughs) are refused", async () => {
    const entities = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    );
    const document =
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${entities.join("")}]>` +
      "<d><p><r><t>&l9;</t></r></p></d>";
    const file = makeDocx("", { "word/document.xml": document });
    const error = await failureOf(extract(file, { filename: "a.docx" }));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain("DOCTYPE");
  });

  test("elements nested too deep are refused", async () => {
    const body = "<w:p>".repeat(300) + "</w:p>".repeat(300);
    const error = await failureOf(extract(makeDocx(body), { filename: "a.docx" }));
    expect(error.message).toBe("This file was not read: it nests deeper than 256 levels.");
  });

  test("one long string in many cells is refused", async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(300);
    const file = makeXlsx(
      { Sheet: `<row>${cells}</row>` },
      { strings: `<si><t>${"x".repeat(100_000)}</t></si>` },
    );
    expect((await failureOf(extract(file, { filename: "a.xlsx" }))).code).toBe("limit-exceeded");
  });

  test("truncated XML", async () => {
    const file = makeDocx("", { "word/document.xml": "<w:document><w:body><w:p>" });
    expect((await failureOf(extract(file, { filename: "a.docx" }))).code).toBe("corrupt");
  });
});

describe("PDF", () => {
  const pages = Array.from({ length: 3 }, (_, index) =>
    pdfLines([`Page ${index + 1} of the plan`]),
  );

  test("a file that only begins like a PDF", async () => {
    const error = await failureOf(extract("%PDF-1.7\n%garbage", { filename: "a.pdf" }));
    expect(error.code).toBe("corrupt");
    expect(error.message).toBe(
      "This PDF could not be read: it seems damaged or incomplete. " +
        "Open it on your computer, save it again and send the new file.",
    );
  });

  test("a PDF that is truncated in its first pages is corrupt", async () => {
    const whole = makePdf(pages);
    const cut = whole.subarray(0, 200);
    expect((await failureOf(extract(cut, { filename: "a.pdf" }))).code).toBe("corrupt");
  });

  test("a PDF without its end gives its text and a warning", async () => {
    const whole = makePdf(pages);
    const cut = whole.subarray(0, whole.length - 30);
    const document = await extract(cut, { filename: "a.pdf" });
    expect(document.pages[2]?.text).toBe("Page 3 of the plan");
    expect(document.warnings).toEqual([
      "This PDF is cut off or repaired; some of its text may be missing.",
    ]);
  });

  test("a PDF with a password", async () => {
    const secret = `<${"5a".repeat(32)}>`;
    const file = makePdfOf(
      [
        { dictionary: "/Type /Catalog /Pages 2 0 R" },
        { dictionary: "/Type /Pages /Kids [] /Count 0" },
        { dictionary: `/Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4` },
      ],
      "/Encrypt 3 0 R /ID [<00> <00>]",
    );
    const error = await failureOf(extract(file, { filename: "a.pdf" }));
    expect(error.code).toBe("encrypted");
    expect(error.message).toBe(
      "This PDF is protected with a password. Remove the password and send the file again.",
    );
  });

  test("a PDF with too many pages", async () => {
    const file = makePdf(Array.from({ length: 2001 }, () => ""));
    const error = await failureOf(extract(file, { filename: "a.pdf" }));
    expect(error.message).toBe("This file was not read: it has more than 2000 pages.");
  });

  test("a page with invalid PDF syntax stays empty, the others are read", async () => {
    const file = makePdf([pages[0]!, "x"], {
      filter: (content) =>
        content.length > 1
          ? ["/Filter /FlateDecode", deflateSync(content)]
          : ["/Filter /FlateDecode", Buffer.from("not deflated at all")],
    });
    const document = await extract(file, { filename: "a.pdf" });
    expect(document.pages.map((page) => page.text)).toEqual(["Page 1 of the plan", ""]);
  });
});

describe("messages and web pages", () => {
  test("a message nested 3000 deep is refused", async () => {
    let message = "From: a@b.example\nTo: c@d.example\nSubject: Deep\nMIME-Version: 1.0\n";
    for (let depth = 0; depth < 3000; depth += 1) {
      message += `Content-Type: multipart/mixed; boundary="b${depth}"\n\n--b${depth}\n`;
    }
    const error = await failureOf(extract(message, { filename: "deep.eml" }));
    expect(error.message).toBe("This file was not read: it nests deeper than 256 levels.");
  });

  test("nested messages are read down to a depth, with a warning for the rest", async () => {
    let message = "From: a@b.example\nTo: c@d.example\nSubject: Level 9\n\nThe innermost.";
    for (let level = 8; level >= 0; level -= 1) {
      message =
        `From: a@b.example\nTo: c@d.example\nSubject: Level ${level}\nMIME-Version: 1.0\n` +
        `Content-Type: multipart/mixed; boundary="b${level}"\n\n--b${level}\n` +
        `Content-Type: message/rfc822\n\n${message}\n--b${level}--\n`;
    }
    const document = await extract(message, { filename: "matryoshka.eml" });
    expect(document.pages).toHaveLength(5);
    expect(document.pages[4]?.text).toContain("Subject: Level 4");
    expect(document.warnings).toEqual([
      "The attachment message.eml is nested too deep and was not read.",
    ]);
  });

  test("a web page nested too deep is refused", async () => {
    const html = `<html>${"<b>".repeat(100_000)}x`;
    expect((await failureOf(extract(html, { filename: "a.html" }))).code).toBe("limit-exceeded");
  });

  test("a million blanks and a million lines take linear time", async () => {
    const file = `a${" ".repeat(mebibyte)}b${"\n".repeat(mebibyte)}c${"\t\n".repeat(mebibyte)}d`;
    const { pages } = await extract(file, { filename: "a.txt" });
    expect(pages.at(-1)?.text).toBe("b\n\nc\n\nd");
  });

  test("comments before other text take linear time", async () => {
    const file = `${"<!-- a -->".repeat(300)}x`;
    expect((await extract(file, { filename: "a.txt" })).pages[0]?.text).toBe(file);
    const page = `${"<!-- a -->\n".repeat(300)}<html><body>Hello</body></html>`;
    expect((await extract(page, { filename: "page.txt" })).pages[0]?.text).toBe("Hello");
  });

  test("a heading of blanks and signs takes linear time", async () => {
    const file = `# ${" #".repeat(mebibyte / 4)}${"x".repeat(600)}\n\n# Title`;
    const { metadata } = await extract(file, { filename: "a.md" });
    expect(metadata.title).toBe("Title");
  });
});
