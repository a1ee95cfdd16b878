import { describe, expect, test } from "vitest";
import { extract, makePdf, pdfLines, failureOf } from "./build-files.ts";
import { attribute, ids, tnef } from "./mail/tnef-stream.ts";

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

/** A message of these parts, each of its header lines and its body. */
function mixed(parts: readonly string[], kind = "mixed"): string {
  const head = "From: a@b.example\nSubject: Hi\nMIME-Version: 1.0\n";
  const body = parts.map((part) => `--b\n${part}\n`).join("");
  return `${head}Content-Type: multipart/${kind}; boundary=b\n\n${body}--b--\n`;
}

const attachment = (name: string, type: string, content: Uint8Array): string =>
  `Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\n` +
  `Content-Transfer-Encoding: base64\n\n${Buffer.from(content).toString("base64")}`;

describe("the body of a message", () => {
  const body = async (plain: string, html: string): Promise<string> => {
    const parts = [`Content-Type: text/plain\n\n${plain}`, `Content-Type: text/html\n\n${html}`];
    const { pages } = await extract(mixed(parts, "alternative"), { filename: "a.eml" });
    return pages[0]?.text.split("\n\n").slice(1).join("|") ?? "";
  };

  test("HTML that says the same as the plain text is left out", async () => {
    expect(await body("Dear all, the fee is 120.", "<p>Dear <b>all</b>, the fee is 120.</p>")).toBe(
      "Dear all, the fee is 120.",
    );
  });

  test("HTML that says more replaces its beginning and follows a stub", async () => {
    const html = "<p>Invoice 4711: pay 1,234 EUR until 1 April for repairs.</p>";
    const text = "Invoice 4711: pay 1,234 EUR until 1 April for repairs.";
    expect(await body("Invoice 4711", html)).toBe(text);
    expect(await body("Your program shows no HTML.", html)).toBe(
      `Your program shows no HTML.|${text}`,
    );
  });
});

describe("what a message has and is not read is named", () => {
  const read = async (parts: readonly string[], limits = {}) =>
    await extract(mixed(parts), { filename: "a.eml", limits });

  test("attachments beyond the limit, each by its name", async () => {
    const parts = Array.from({ length: 160 }, (_, index) =>
      attachment(`f${index}.txt`, "text/plain", Buffer.from(`number ${index}`)),
    );
    const { warnings, leftOut, pages } = await read(parts, { attachments: 50 });
    expect(pages).toHaveLength(51);
    const named = warnings.join(" ").match(/f\d+\.txt/g);
    expect(named).toEqual(Array.from({ length: 110 }, (_, index) => `f${index + 50}.txt`));
    expect(leftOut).toMatch(/^The first 50 attachments of a message are read/);
    const all = await read(parts);
    expect(all.pages).toHaveLength(161);
    expect(all.leftOut).toBeUndefined();
  });

  test("encrypted parts of S/MIME and PGP", async () => {
    const cms = Buffer.from("300f06092a864886f70d010703a0023000", "hex");
    const smime = await read([attachment("smime.p7m", "application/pkcs7-mime", cms)]);
    expect(smime.leftOut).toMatch(/smime\.p7m was not read: it is encrypted \(S\/MIME\)/);
    const armour = Buffer.from("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n");
    const pgp = await read([attachment("encrypted.asc", "application/octet-stream", armour)]);
    expect(pgp.leftOut).toMatch(/encrypted\.asc was not read: it is encrypted \(PGP\)/);
  });

  test("a damaged winmail.dat, and the attachments of a whole one", async () => {
    const stream = tnef(
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(ids.title, Buffer.from("a.txt\0")),
      attribute(ids.data, Buffer.from("412 vehicles")),
    );
    const whole = await read([attachment("winmail.dat", "application/ms-tnef", stream)]);
    expect(whole.pages[1]?.text).toBe("412 vehicles");
    const cut = stream.subarray(0, -8);
    const damaged = await read([attachment("winmail.dat", "application/ms-tnef", cut)]);
    expect(damaged.warnings).toEqual(["The attachment winmail.dat was not read: it is damaged."]);
    expect(damaged.leftOut).toBe(damaged.warnings[0]);
  });

  test("a logo, a dot and a signature are no content", async () => {
    const bitmap = (side: number): Buffer => {
      const bytes = Buffer.alloc(54);
      bytes.write("BM");
      bytes.writeUInt32LE(40, 14);
      bytes.writeInt32LE(side, 18);
      bytes.writeInt32LE(side, 22);
      return bytes;
    };
    const inline = (name: string, side: number): string =>
      attachment(name, "image/bmp", bitmap(side)).replace(": attachment", ": inline");
    const { pages, warnings } = await read([
      "Content-Type: text/plain\n\nRegards",
      attachment("dot.bmp", "image/bmp", bitmap(10)),
      inline("logo.bmp", 200),
      attachment("smime.p7s", "application/pkcs7-signature", Buffer.from([1, 2, 0])),
      attachment("plan.bmp", "image/bmp", bitmap(100)),
      inline("scan.bmp", 400),
    ]);
    expect(pages[0]?.text).toBe(
      "From: a@b.example\nSubject: Hi\nAttachments: plan.bmp, scan.bmp\n\nRegards",
    );
    expect(pages.slice(1)).toMatchObject([{ isPicture: true }, { isPicture: true }]);
    expect(warnings).toEqual([]);
  });
});

test("a mailbox file gives all of its messages and their attachments", async () => {
  const line = "From a@b.example Mon Mar  2 10:00:00 2026\n";
  const note = attachment("note.txt", "text/plain", Buffer.from("Attached words"));
  const messages = [
    "From: a@b.example\nSubject: One\nDate: 1\n\nFirst",
    mixed(["Content-Type: text/plain\n\nSecond", note]),
    "From: c@d.example\nSubject: Three\n\nThird",
  ];
  const source = messages.map((message) => `${line}${message}\n\n`).join("");
  const { pages, mediaType, metadata } = await extract(source, { filename: "archive" });
  expect(mediaType).toBe("message/rfc822");
  expect(metadata).toEqual({});
  expect(pages.map(({ text }) => text)).toEqual([
    expect.stringMatching(/First\n\n\* \* \*\n\nFrom: a@b\.example[\s\S]+Second$/),
    "Attached words",
    "From: c@d.example\nSubject: Three\n\nThird",
  ]);
});
