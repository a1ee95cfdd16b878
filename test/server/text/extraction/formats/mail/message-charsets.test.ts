import { describe, expect, test } from "vitest";
import { withReadableCharsets } from "#server/text/extraction/formats/mail/message-charsets.ts";
import { extract } from "../build-files.ts";

const textOf = async (message: string | Uint8Array): Promise<string> =>
  (await extract(message, { filename: "a.eml" })).pages.map(({ text }) => text).join("\n");

describe("charsets of messages", () => {
  test("unencoded header fields in Latin-1, UTF-8 and Cyrillic", async () => {
    const message = (subject: Buffer, charset: string): Buffer =>
      Buffer.concat([
        Buffer.from("From: a@b.example\r\nSubject: "),
        subject,
        Buffer.from(`\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nWords`),
      ]);
    expect(await textOf(message(Buffer.from("Prüfung", "latin1"), "iso-8859-1"))).toContain(
      "Subject: Prüfung\n",
    );
    expect(await textOf(message(Buffer.from("Prüfung 東京"), "iso-8859-1"))).toContain(
      "Subject: Prüfung 東京\n",
    );
    expect(await textOf(message(Buffer.from("f0ccc1d4c1", "hex"), "koi8-r"))).toContain(
      "Subject: Плата\n",
    );
  });

  test.each([
    ["utf-7", "", Buffer.from("Fr+APY-sche").toString("latin1"), "Frösche"],
    ["iso-2022-kr", "", "\x1b$)C\x0e0GC`\x0f ok", "건축 ok"],
    ["johab", "base64", "iOXCgg==", "건축"],
    ["IBM855", "quoted-printable", "=DD=D0=A0=E5=\r\n=A0", "Плата"],
    ["x-mac-cyrillic", "base64", "j+vg8uA=", "Плата"],
    ["utf-16", "base64", "//5QAOQA", "Pä"],
  ])("text in %s", async (charset, encoding, body, expected) => {
    const lines = [
      "From: a@b.example",
      "MIME-Version: 1.0",
      `Content-Type: text/plain; format=flowed; charset="${charset}"`,
      ...(encoding === "" ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
      "",
      body,
    ];
    expect(await textOf(Buffer.from(lines.join("\r\n"), "latin1"))).toBe(
      `From: a@b.example\n\n${expected}`,
    );
  });

  test("encoded words of headers, and one part among others", async () => {
    const message =
      "From: =?iso-2022-kr?B?GyQpQw4wR0Ng?= <a@b.example>\n" +
      'Content-Type: multipart/mixed; boundary="x y"\n\n--x y\n' +
      "Content-Type: text/plain; charset=utf-7\n\nFr+APY-sche\n-- \nsignature\n--x y\n" +
      "Content-Type: text/plain; charset=utf-8\n\nFrösche+APY-\n--x y--\n";
    expect(await textOf(message)).toBe(
      "From: 건축 <a@b.example>\n\nFrösche\n--\nsignature\n\nFrösche+APY-",
    );
  });

  test("a whole message in UTF-16, with and without its mark", async () => {
    const message =
      "From: Björn <a@b.example>\r\nTo: c@d.example\r\nSubject: Prüfung\r\n" +
      "Content-Type: text/plain; charset=utf-16\r\n\r\nGrüße aus Köln";
    const expected =
      "From: Björn <a@b.example>\nTo: c@d.example\nSubject: Prüfung\n\nGrüße aus Köln";
    expect(await textOf(Buffer.from(`\ufeff${message}`, "utf16le"))).toBe(expected);
    expect(await textOf(Buffer.from(message, "utf16le").swap16())).toBe(expected);
  });

  test("a charset that nothing reads is named", async () => {
    const message = "From: a@b.example\nContent-Type: text/plain; charset=x-klingon\n\nqapla'";
    const { unknown } = await withReadableCharsets(Buffer.from(message));
    expect([...unknown]).toEqual(["x-klingon"]);
    const { leftOut } = await extract(message, { filename: "a.eml" });
    expect(leftOut).toMatch(/^The encoding x-klingon of this message is not known/);
  });
});
