import { describe, expect, test } from "vitest";
import { decodeText } from "#server/text/extraction/formats/encoding.ts";
import { extract, failureOf } from "./build-files.ts";
import { sentences, encode } from "./encoded-sentences.ts";

type Language = keyof typeof sentences;

const cases: readonly (readonly [Language, string])[] = [
  ["german", "windows-1252"],
  ["french", "windows-1252"],
  ["german", "iso-8859-15"],
  ["polish", "windows-1250"],
  ["polish", "iso-8859-2"],
  ["czech", "windows-1250"],
  ["czech", "iso-8859-2"],
  ["russian", "windows-1251"],
  ["russian", "koi8-r"],
  ["russian", "iso-8859-5"],
  ["greek", "iso-8859-7"],
  ["turkish", "windows-1254"],
  ["hebrew", "windows-1255"],
  ["thai", "windows-874"],
  ["japanese", "shift_jis"],
  ["japanese", "euc-jp"],
  ["chinese", "gbk"],
  ["korean", "euc-kr"],
  ["german", "utf-16le"],
  ["german", "utf-16be"],
  ["russian", "utf-16le"],
  ["russian", "utf-16be"],
  ["japanese", "utf-16le"],
  ["japanese", "utf-16be"],
  ["chinese", "utf-16le"],
  ["korean", "utf-16be"],
  ["german", "cp437"],
  ["german", "cp850"],
  ["polish", "cp852"],
  ["czech", "cp852"],
  ["russian", "ibm866"],
  ["french", "macintosh"],
];

const read = async (content: Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map(({ text }) => text).join("\n");

describe.each(cases)("%s in %s, which nothing declares", (language, charset) => {
  const text = sentences[language];

  test("is read from a text file", async () => {
    expect(await read(encode(text, charset), "a.txt")).toBe(text);
  });

  test("is read from a CSV file", async () => {
    const table = `"${text}"\tx\n"${text}"\ty`;
    expect(await read(encode(table, charset), "a.csv")).toBe(table.replaceAll('"', ""));
  });
});

describe.each(cases.filter(([, charset]) => !/^(?:utf-16|cp)/.test(charset)))(
  "%s in %s, which is declared",
  (language, charset) => {
    // The text is too short to guess.
    const text = Array.from(sentences[language])
      .filter((letter) => letter > "\u007f")
      .slice(0, 6)
      .join("");

    test("is read from a web page", async () => {
      const page = `<html><meta charset="${charset}"><p>`;
      const bytes = Buffer.concat([Buffer.from(page), encode(text, charset)]);
      expect(await read(bytes, "a.html")).toBe(text);
    });

    test("is read from a message", async () => {
      const head = `From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n`;
      const type = `Content-Type: text/plain; charset=${charset}\r\n`;
      const encoding = "Content-Transfer-Encoding: base64\r\n\r\n";
      const body = encode(text, charset).toString("base64");
      const found = await read(Buffer.from(`${head}${type}${encoding}${body}`), "a.eml");
      expect(found.split("\n").at(-1)).toBe(text);
    });
  },
);

test.each(["cp850", "IBM437", "cp852"])("a web page that declares %s", async (charset) => {
  const page = `<html><meta charset="${charset}"><p>`;
  const bytes = Buffer.concat([Buffer.from(page), encode("äöüß", charset)]);
  expect(await read(bytes, "a.html")).toBe("äöüß");
});

test.each(["cp437", "cp850"])("a frame and a few words of DOS in %s", async (charset) => {
  const text = "╔═══════╗\n║ Maße  ║\n╚═══════╝\nFläche: 12 m², Gebühr £5";
  expect(await read(encode(text, charset), "a.txt")).toBe(text);
});

test.each([
  ["windows-1252", "Die Tür heißt »groß«, und die Maße — 3×4 µm — sind „nötig“."],
  ["windows-1252", "A footnote† and a sign™, 20°C, §5, ½ of £10."],
  ["macintosh", "The café’s fee is £120 — or so."],
])("%s keeps its signs: %s", async (charset, text) => {
  expect(await read(encode(text, charset), "a.txt")).toBe(text);
});

test.each([true, false])("UTF-32 with a byte order mark, little-endian %s", async (isLittle) => {
  const points = Array.from("\ufeffÜber 𝛼").map((letter) => letter.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    if (isLittle) bytes.writeUInt32LE(point, index * 4);
    else bytes.writeUInt32BE(point, index * 4);
  }
  expect(await read(bytes, "a.txt")).toBe("Über 𝛼");
});

test.each(["utf-16le", "utf-16be"])("%s with a byte order mark", async (charset) => {
  expect(await read(encode("\ufeffHi", charset), "a.txt")).toBe("Hi");
});

test.each([
  ["russian", "windows-1251"],
  ["russian", "koi8-r"],
  ["russian", "iso-8859-5"],
  ["greek", "iso-8859-7"],
  ["hebrew", "windows-1255"],
] as const)(
  "%s in %s between Latin names and numbers, as in a table",
  async (language, charset) => {
    const words = sentences[language].split(" ");
    const rows = words.map(
      (word, index) => `Invoice-${index},Delivered,EUR,${index * 17}.50,${word}`,
    );
    const table = ["Reference,Status,Currency,Amount,Remark of the customer", ...rows].join("\n");
    expect(await decodeText(encode(table, charset))).toBe(table);
  },
);

test("ISO-2022-JP, which is 7-bit", async () => {
  const bytes = Buffer.from("\x1b$B7zC[5v2D\x1b(B ok", "latin1");
  expect(await read(bytes, "a.txt")).toBe("建築許可 ok");
});

test.each([
  ["one sign of money", "Fee: £120 per year", "windows-1252"],
  ["an apostrophe", "The owner’s wall", "windows-1252"],
  ["a degree", "10°C", "windows-1252"],
])("%s is enough for windows-1252", async (_name, text, charset) => {
  expect(await read(encode(text, charset), "a.txt")).toBe(text);
});

test("UTF-8 with a broken byte stays UTF-8", async () => {
  const bytes = Buffer.concat([Buffer.from(sentences.russian), Buffer.from([0xd0])]);
  expect(await read(bytes, "a.txt")).toBe(`${sentences.russian}\ufffd`);
});

test.each(["8bit", "quoted-printable"])(
  "a message that declares no charset, %s",
  async (encoding) => {
    const body = encode(sentences.russian, "windows-1251");
    const written =
      encoding === "8bit"
        ? body
        : Buffer.from([...body].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(""));
    const head =
      "From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n" +
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    const found = await read(Buffer.concat([Buffer.from(head), written]), "a.eml");
    expect(found.split("\n").at(-1)).toBe(sentences.russian);
  },
);

test("bytes that are no text in any encoding are refused", async () => {
  const bytes = Uint8Array.from({ length: 4_000 }, (_, index) => (index * 7919) & 0xff);
  expect((await failureOf(extract(bytes, { filename: "a.txt" }))).code).toBe("unsupported");
});

test("a charset that a page declares after its scripts counts", async () => {
  const page =
    `<html><script>${"x();".repeat(1_000)}</script><meta charset="windows-1251">` +
    "<p>Блокнот</p>";
  const bytes = Uint8Array.from(page, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 0x80 ? code : code - 0x410 + 0xc0;
  });
  expect(await decodeText(bytes)).toBe(page);
});
