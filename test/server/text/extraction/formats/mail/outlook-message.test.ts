import { describe, expect, test, vi } from "vitest";
import { extract, failureOf } from "../build-files.ts";
import { outlookFile, type OutlookFile, type Properties } from "./outlook-file.ts";

const tags = {
  messageClass: 0x001a001f,
  subject: 0x0037001f,
  subjectInPage: 0x0037001e,
  headers: 0x007d001f,
  senderName: 0x0c1a001f,
  senderAddress: 0x0c1f001f,
  senderAddressType: 0x0c1e001f,
  recipientKind: 0x0c150003,
  body: 0x1000001f,
  bodyInPage: 0x1000001e,
  html: 0x10130102,
  name: 0x3001001f,
  address: 0x3003001f,
  addressType: 0x3002001f,
  mailAddress: 0x39fe001f,
  data: 0x37010102,
  fileName: 0x3707001f,
  mediaType: 0x370e001f,
  method: 0x37050003,
  company: 0x3a16001f,
  telephone: 0x3a08001f,
  internetPage: 0x3fde0003,
  locale: 0x3ff10003,
} as const;

const person = (name: string, address: string, kind: number): Properties => ({
  [tags.name]: name,
  [tags.addressType]: "SMTP",
  [tags.address]: address,
  [tags.mailAddress]: address,
  [tags.recipientKind]: kind,
});

const message: OutlookFile = {
  properties: {
    [tags.messageClass]: "IPM.Note",
    [tags.subject]: "Culvert at Mill Lane",
    [tags.senderName]: "Ada Byron",
    [tags.senderAddressType]: "SMTP",
    [tags.senderAddress]: "ada@example.org",
    [tags.headers]: "Received: by host\r\nDate: Tue, 3 Nov 2026 09:30:00 +0100\r\n",
    [tags.body]: "The culvert is 1.8 metres wide.\r\n",
  },
  recipients: [
    person("Bo Lind", "bo@example.org", 1),
    person("cy@example.org", "cy@example.org", 2),
  ],
  attachments: [
    {
      properties: {
        [tags.method]: 1,
        [tags.fileName]: "levels.csv",
        [tags.mediaType]: "text/csv",
        [tags.data]: Buffer.from("gauge,metres\nweir,2.41\n"),
      },
    },
  ],
};

async function textsOf(file: OutlookFile): Promise<readonly string[]> {
  const { pages } = await extract(outlookFile(file), { filename: "message.msg" });
  return pages.map(({ text }) => text);
}

describe("a message that Outlook has saved", () => {
  test("has its head, its text and its attachments, as other messages have", async () => {
    const { mediaType, pages, metadata } = await extract(outlookFile(message), {
      filename: "x.msg",
    });
    expect(mediaType).toBe("application/vnd.ms-outlook");
    expect(metadata).toMatchObject({
      title: "Culvert at Mill Lane",
      author: "Ada Byron <ada@example.org>",
    });
    expect(pages.map(({ text }) => text)).toEqual([
      [
        "From: Ada Byron <ada@example.org>",
        "To: Bo Lind <bo@example.org>",
        "Cc: cy@example.org",
        "Date: 2026-11-03T08:30:00.000Z",
        "Subject: Culvert at Mill Lane",
        "Attachments: levels.csv",
        "",
        "The culvert is 1.8 metres wide.",
      ].join("\n"),
      "gauge\tmetres\nweir\t2.41",
    ]);
  });

  test("is recognised by its bytes, whatever its name and type say", async () => {
    const { mediaType } = await extract(outlookFile(message), { filename: "scan.pdf" });
    expect(mediaType).toBe("application/vnd.ms-outlook");
  });

  test("has the message that is attached to it on other pages", async () => {
    const attached = { properties: { [tags.method]: 5, [tags.name]: "Forwarded" }, message };
    const texts = await textsOf({
      properties: { [tags.subject]: "See below", [tags.body]: "As you asked." },
      attachments: [attached],
    });
    expect(texts[0]).toBe("Subject: See below\nAttachments: Forwarded.msg\n\nAs you asked.");
    expect(texts[1]).toContain("The culvert is 1.8 metres wide.");
    expect(texts[2]).toBe("gauge\tmetres\nweir\t2.41");
  });

  test.each([
    ["the page of its mail", { [tags.internetPage]: 50220 }],
    ["its locale", { [tags.locale]: 0x0411 }],
  ])("has texts in a code page that follows from %s", async (_, facts) => {
    const japanese = "\x93\xfa\x96\x7b\x8c\xea";
    const texts = await textsOf({
      properties: { ...facts, [tags.subjectInPage]: japanese, [tags.bodyInPage]: "ok" },
    });
    expect(texts).toEqual(["Subject: 日本語\n\nok"]);
  });

  test("has web text in the page of its mail where it has no plain text", async () => {
    const html = Buffer.from("<p>Stra\xdfe zum M\xfchlwehr</p>", "latin1");
    const texts = await textsOf({
      properties: { [tags.subject]: "Weg", [tags.internetPage]: 28591, [tags.html]: html },
    });
    expect(texts).toEqual(["Subject: Weg\n\nStraße zum Mühlwehr"]);
  });

  test("that was signed is read from what was signed, once", async () => {
    const signed =
      'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary=b\r\n\r\n' +
      "--b\r\nContent-Type: text/plain\r\n\r\nThe sluice stays shut.\r\n" +
      "--b\r\nContent-Type: application/pkcs7-signature\r\n\r\nsignature\r\n--b--\r\n";
    const texts = await textsOf({
      properties: { [tags.subject]: "Sluice", [tags.body]: "The sluice stays shut." },
      attachments: [
        {
          properties: {
            [tags.method]: 1,
            [tags.fileName]: "smime.p7m",
            [tags.mediaType]: "multipart/signed",
            [tags.data]: Buffer.from(signed),
          },
        },
      ],
    });
    expect(texts.join("\n").match(/The sluice stays shut/g)).toHaveLength(1);
  });

  test("an address of an Exchange directory is not shown", async () => {
    const texts = await textsOf({
      properties: {
        [tags.subject]: "Weir",
        [tags.senderName]: "Ada",
        [tags.senderAddressType]: "EX",
        [tags.senderAddress]: "/O=COUNCIL/CN=RECIPIENTS/CN=ADA",
        [tags.body]: "Open at noon.",
      },
    });
    expect(texts).toEqual(["From: Ada\nSubject: Weir\n\nOpen at noon."]);
  });

  test("a contact has its facts, one a line", async () => {
    const texts = await textsOf({
      properties: {
        [tags.messageClass]: "IPM.Contact",
        [tags.subject]: "Bo Lind",
        [tags.company]: "Harbour Council",
        [tags.telephone]: "01632 960001",
      },
    });
    expect(texts[0]).toContain("Company: Harbour Council\nTelephone: 01632 960001");
  });

  test("an appointment is read whose recurrence, time zones and votes are damaged", async () => {
    const numbers = [0x820d, 0x8208, 0x8216, 0x8233, 0x825e, 0x825f, 0x8260];
    const isDamaged = (at: number): boolean => at >= 2;
    const own = numbers.map((_, at) => {
      const tag = (0x8000 + at) * 0x10000;
      return isDamaged(at) ? [tag + 0x0102, Buffer.from([4, 0x30])] : [tag + 0x1f, `Pier ${at}`];
    });
    const properties = { ...message.properties, ...Object.fromEntries(own) };
    const print = vi.spyOn(console, "debug").mockImplementation(() => {});
    const { pages } = await extract(outlookFile({ ...message, properties, appointment: numbers }), {
      filename: "x.msg",
    });
    expect(pages[0]?.text).toContain("Location: Pier 1");
    expect(pages[0]?.text).toContain("The culvert is 1.8 metres wide.");
    // The reading process prints its answer; a line of a library would end it.
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  test.each([0.3, 0.6, 0.9])(
    "one that ends at %d of its bytes is refused as damaged",
    async (share) => {
      const whole = outlookFile({
        ...message,
        properties: { ...message.properties, [tags.body]: "weir ".repeat(4_000) },
      });
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      const { code, message: words } = await failureOf(extract(cut, { filename: "x.msg" }));
      expect(code).toBe("corrupt");
      expect(words).toContain("damaged or incomplete");
    },
  );

  test.each([
    ["whose directory goes round", (at: number) => [at, at]],
    ["whose directory has no block", (at: number) => [at, 0x7ffffff0]],
  ])("one %s is refused as damaged", async (_, linkOf) => {
    const file = Buffer.from(outlookFile(message));
    const directory = file.readInt32LE(directoryStart);
    const [block, next] = linkOf(directory) as [number, number];
    const table = (file.readInt32LE(firstTable) + 1) * blockBytes;
    file.writeInt32LE(next, table + block * 4);
    const { code } = await failureOf(extract(file, { filename: "x.msg" }));
    expect(code).toBe("corrupt");
  });
});

/** Places of numbers in the header of a compound file (MS-CFB 2.2), and its blocks' size. */
const directoryStart = 0x30;
const firstTable = 0x4c;
const blockBytes = 512;
