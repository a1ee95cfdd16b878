import { describe, expect, test } from "vitest";
import {
  extract,
  failureOf,
  makeDocx,
  makePdf,
  makeXlsx,
  makeZip,
  paragraph,
  pdfLines,
} from "./formats/build-files.ts";

describe("the kind of a document", () => {
  test("a PDF is detected with any name and media type", async () => {
    const document = await extract(makePdf([pdfLines(["Notice of decision"])]), {
      filename: "notes.txt",
      mediaType: "text/plain",
    });
    expect(document.mediaType).toBe("application/pdf");
    expect(document.pages).toMatchObject([{ number: 1, text: "Notice of decision" }]);
  });

  test("a PDF whose header is damaged is no text", async () => {
    const pdf = Buffer.from(makePdf([pdfLines(["Notice of decision"])]));
    pdf.set(Buffer.from("%\xe2\xe3-1.4", "latin1"));
    const document = await extract(pdf, { filename: "a.pdf" });
    expect([document.mediaType, document.pages[0]?.text]).toEqual([
      "application/pdf",
      "Notice of decision",
    ]);
  });

  test("the content of the container decides between the Office formats", async () => {
    const word = await extract(makeDocx(paragraph("Dear sir")), { filename: "a.xlsx" });
    expect(word.mediaType).toBe(
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    );
    const sheet = makeXlsx({ Fees: '<row><c t="inlineStr"><is><t>Fee</t></is></c></row>' });
    const excel = await extract(sheet, { filename: "a.docx" });
    expect(excel.mediaType).toBe(
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    );
  });

  test("the kind of text depends on content, then name, then media type", async () => {
    const kindOf = async (text: string, filename: string, mediaType = ""): Promise<string> =>
      (await extract(text, { filename, mediaType })).mediaType;
    expect(await kindOf("<!DOCTYPE html><p>Hi", "page.txt")).toBe("text/html");
    expect(await kindOf("From: a@b.example\nTo: c@d.example\nSubject: Hi\n\nHi", "mail.txt")).toBe(
      "message/rfc822",
    );
    expect(await kindOf("# Notes", "notes.md")).toBe("text/markdown");
    expect(await kindOf("a,b\n1,2", "table.CSV")).toBe("text/csv");
    expect(await kindOf("a,b\n1,2", "table", "text/csv; charset=utf-8")).toBe("text/csv");
    expect(await kindOf("a,b\n1,2", "table.txt", "text/csv")).toBe("text/plain");
    expect(await kindOf("From: the desk of the clerk", "memo")).toBe("text/plain");
    expect(await kindOf("Notes", "notes.constructor")).toBe("text/plain");
  });
});

describe("unreadable files are refused with a message", () => {
  test("an empty file", async () => {
    const error = await failureOf(extract(""));
    expect(error.code).toBe("empty-file");
    expect(error.message).toBe("This file is empty: it has 0 bytes.");
  });

  test.each([
    ["a picture", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61], "This file is a picture (GIF)"],
    ["a program for printers", [0x25, 0x21, 0x50, 0x53], "This file is a PostScript file"],
    ["a compressed file", [0x1f, 0x8b, 8, 0], "This file is a compressed (gzip) file"],
    ["unknown bytes", [1, 2, 3, 0, 5], "This file is a binary file"],
  ])("%s", async (_, bytes, words) => {
    const error = await failureOf(extract(new Uint8Array(bytes)));
    expect(error.code).toBe("unsupported");
    expect(error.message).toContain(words);
    expect(error.message).toContain(
      "PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, ODG, EPUB, RTF, HTML, EML, MSG, JSON, XML, Markdown, CSV and plain text",
    );
  });

  test("a zip that is not an Office document", async () => {
    const error = await failureOf(extract(makeZip({ "a.txt": "hello" })));
    expect(error.code).toBe("unsupported");
    expect(error.message).toContain("a zip archive");
  });

  test("an Office document with a password", async () => {
    const compound = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(1000),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    const error = await failureOf(extract(compound, { filename: "plan.docx" }));
    expect(error.code).toBe("encrypted");
    expect(error.message).toContain("protected with a password");
  });

  test.each([
    ["WordDocument", "Word document", "save it as DOCX"],
    ["Workbook", "Excel workbook", "save it as XLSX"],
    ["PowerPoint Document", "PowerPoint presentation", "save it as PPTX"],
    // A document with an embedded workbook.
    ["Workbook WordDocument", "Word document", "save it as DOCX"],
    ["Book", "Excel workbook of version 5", "save it as XLSX"],
    ["VisioDocument", "Visio drawing", "save it as PDF"],
  ])(
    "a file of an old format with the stream %s names its remedy",
    async (stream, format, remedy) => {
      const compound = Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        Buffer.from(stream, "utf16le"),
      ]);
      const { code, message } = await failureOf(extract(compound, { filename: "plan" }));
      expect(code).toBe("unsupported");
      expect(message).toContain(format);
      expect(message).toContain(remedy);
    },
  );

  test("a message of Outlook that has no more than its begin, with an attached document", async () => {
    const compound = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.from("WordDocument __substg1.0_", "utf16le"),
    ]);
    const { code, message } = await failureOf(extract(compound, { filename: "plan" }));
    expect(code).toBe("corrupt");
    expect(message).toContain("message of Outlook");
  });

  test("a document of an old Office format", async () => {
    const compound = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(1000),
    ]);
    expect((await failureOf(extract(compound, { filename: "plan.doc" }))).code).toBe("unsupported");
  });

  test("a file above the size limit", async () => {
    const error = await failureOf(
      extract("x".repeat(2000), { filename: "a.txt", limits: { fileBytes: 1999 } }),
    );
    expect(error.code).toBe("limit-exceeded");
  });
});

describe("pages", () => {
  test("long text is cut at paragraphs into pages without loss", async () => {
    const paragraphs = Array.from({ length: 40 }, (_, index) =>
      `Paragraph ${index} ${"word ".repeat(20)}`.trim(),
    );
    const { pages } = await extract(paragraphs.join("\n\n"), {
      filename: "long.txt",
      limits: { flowCharacters: 500 },
    });
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.map((page) => page.number)).toEqual(pages.map((_, index) => index + 1));
    expect(pages.every((page) => page.text.length <= 500)).toBe(true);
    expect(pages.every((page) => page.text.startsWith("Paragraph"))).toBe(true);
    expect(pages.map((page) => page.text).join("\n\n")).toBe(paragraphs.join("\n\n"));
  });

  test("more characters than allowed refuse the file", async () => {
    const work = extract("word ".repeat(100), { filename: "a.txt", limits: { characters: 498 } });
    const error = await failureOf(work);
    expect(error.code).toBe("limit-exceeded");
    expect(error.message).toBe("This file was not read: it has more than 498 characters of text.");
  });

  test("each page is passed on at once, with progress", async () => {
    const seen: string[] = [];
    const progress: [number, number][] = [];
    const document = await extract(
      makePdf(["One", "Two", "Three"].map((text) => pdfLines([text]))),
      {
        filename: "a.pdf",
        onPage: (page) => void seen.push(`${page.number} ${page.text}`),
        onProgress: (done, total) => void progress.push([done, total]),
      },
    );
    expect(seen).toEqual(["1 One", "2 Two", "3 Three"]);
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(document.pages).toEqual([]);
  });
});
