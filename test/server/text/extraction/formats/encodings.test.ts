import { describe, expect, test } from "vitest";
import { decoderNamed } from "#server/text/extraction/formats/encoding.ts";
import { extract, failureOf } from "./build-files.ts";

const sentences = {
  german:
    "Die Stadtverwaltung prüft die Anträge. Die Höhe der Mauer beträgt zwei Meter; Einwände " +
    "können bis zum 3. März schriftlich erhoben werden. Die Gebühr ist fällig.",
  french:
    "La commission a examiné la requête déposée à la mairie. Les frais s’élèvent à 120 €, " +
    "payables à réception de l’avis. Une réponse écrite est exigée avant le 3 février.",
  polish:
    "Wniosek o pozwolenie na budowę został złożony w urzędzie. Opłata wynosi sto złotych; " +
    "należy ją uiścić w ciągu siedmiu dni. Właściciel żąda pisemnej odpowiedzi.",
  czech:
    "Žádost o stavební povolení byla podána na úřadě. Poplatek činí sto korun a je splatný do " +
    "sedmi dnů. Majitel žádá písemnou odpověď.",
  russian:
    "Заявление о разрешении на строительство подано в управление. Плата составляет сто рублей " +
    "и вносится в течение семи дней. Владелец просит ответить письменно.",
  japanese:
    "建築許可の申請書は市役所に提出されました。手数料は百円で、七日以内に支払う必要があります。" +
    "所有者は書面での回答を求めています。",
  chinese: "建筑许可申请已提交给市政府。费用为一百元，应在七天内支付。业主要求书面答复。",
  korean:
    "건축 허가 신청서가 시청에 제출되었습니다. 수수료는 백 원이며 칠 일 이내에 납부해야 합니다.",
  greek: "Η αίτηση για οικοδομική άδεια κατατέθηκε στο δημαρχείο. Το τέλος είναι εκατό ευρώ.",
  turkish:
    "Yapı ruhsatı başvurusu belediyeye sunuldu. Ücret yüz liradır ve yedi gün içinde ödenmelidir.",
  hebrew: "הבקשה להיתר בנייה הוגשה לעירייה. האגרה היא מאה שקלים ויש לשלם אותה תוך שבעה ימים.",
} as const;
type Language = keyof typeof sentences;

/** The bytes of a text: the reverse of the runtime's decoder, over all sequences of one and two. */
function encode(text: string, charset: string): Buffer {
  if (charset === "utf-16le") return Buffer.from(text, "utf16le");
  if (charset === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const decoder = decoderNamed(charset);
  const known = new Map<string, number[]>();
  const add = (bytes: number[]): void => {
    const letter = decoder?.decode(Uint8Array.from(bytes)) ?? "";
    const isOne = Array.from(letter).length === 1 && letter !== "\ufffd";
    if (isOne && !known.has(letter)) known.set(letter, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) add([byte]);
  if (/^(?:shift_jis|gbk|big5|euc-)/.test(charset)) {
    for (let lead = 0x81; lead < 256; lead += 1) {
      for (let trail = 0x40; trail < 256; trail += 1) add([lead, trail]);
    }
  }
  return Buffer.from(
    Array.from(text).flatMap((letter) => {
      const bytes = known.get(letter);
      if (bytes === undefined) throw new Error(`${charset} has no ${letter}`);
      return bytes;
    }),
  );
}

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

describe("RTF", () => {
  const escaped = (bytes: Buffer): string =>
    [...bytes].map((byte) => `\\'${byte.toString(16).padStart(2, "0")}`).join("");

  test.each([
    ["1250", "polish", "windows-1250"],
    ["1251", "russian", "windows-1251"],
    ["932", "japanese", "shift_jis"],
    ["936", "chinese", "gbk"],
    ["949", "korean", "euc-kr"],
    ["28592", "czech", "iso-8859-2"],
    ["20866", "russian", "koi8-r"],
    ["850", "german", "cp850"],
    ["852", "polish", "cp852"],
  ] as const)("the code page %s", async (page, language, charset) => {
    const text = escaped(encode(sentences[language], charset));
    expect(await read(Buffer.from(`{\\rtf1\\ansi\\ansicpg${page} ${text}}`), "a.rtf")).toBe(
      sentences[language],
    );
  });

  test("fonts in several encodings, and letters as second bytes", async () => {
    const fonts = "{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f1\\fnil\\fcharset204 Arial;}}";
    const russian = escaped(encode("Плата", "windows-1251"));
    const source = `{\\rtf1\\ansi\\ansicpg1252${fonts}\\f0 caf\\'e9 {\\f1 ${russian}} \\'a3}`;
    expect(await read(Buffer.from(source), "a.rtf")).toBe("café Плата £");
    // The bytes 0x83 0x41 are ア.
    const japanese = "{\\rtf1\\ansi\\ansicpg932 \\'83A\\'83B}";
    expect(await read(Buffer.from(japanese), "a.rtf")).toBe("アイ".replace("イ", "ィ"));
  });
});

test("bytes that are no text in any encoding are refused", async () => {
  const bytes = Uint8Array.from({ length: 4_000 }, (_, index) => (index * 7919) & 0xff);
  expect((await failureOf(extract(bytes, { filename: "a.txt" }))).code).toBe("unsupported");
});
