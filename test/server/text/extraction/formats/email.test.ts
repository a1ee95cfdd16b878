import { describe, expect, test } from "vitest";
import { extract, makePdf, pdfLines, failureOf } from "./build-files.ts";

describe("e-mail", () => {
  test("headers, body and the text of attachments, also of forwarded messages", async () => {
    const inner = "From: c@d.example\nTo: a@b.example\nSubject: Inner\n\nInner words.";
    const message = [
      "From: Priya Nair <priya@residents.example>",
      "To: planning@northwind.example",
      "Subject: =?utf-8?Q?Objection_=C2=A7_18_Quay_Street?=",
      "Date: Mon, 12 Oct 2026 09:15:00 +0100",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>I <b>object</b>.</p>",
      "--b",
      "Content-Type: message/rfc822",
      "Content-Disposition: attachment",
      "",
      inner,
      "--b",
      'Content-Type: application/pdf; name="count.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(makePdf([pdfLines(["412 vehicles"])])).toString("base64"),
      "--b",
      'Content-Type: image/png; name="photo.png"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64"),
      "--b--",
    ].join("\r\n");
    const document = await extract(message, { filename: "objection.eml" });
    expect(document.mediaType).toBe("message/rfc822");
    expect(document.pages.map((page) => page.text)).toEqual([
      "From: Priya Nair <priya@residents.example>\nTo: planning@northwind.example\n" +
        "Date: 2026-10-12T08:15:00.000Z\nSubject: Objection § 18 Quay Street\n" +
        "Attachments: message.eml, count.pdf, photo.png\n\nI object.",
      "From: c@d.example\nTo: a@b.example\nSubject: Inner\n\nInner words.",
      "412 vehicles",
      "",
    ]);
    expect(document.pages[3]).toMatchObject({ isPicture: true });
    expect(document.metadata).toEqual({
      title: "Objection § 18 Quay Street",
      author: "Priya Nair <priya@residents.example>",
      createdAt: "2026-10-12T08:15:00.000Z",
    });
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
});
