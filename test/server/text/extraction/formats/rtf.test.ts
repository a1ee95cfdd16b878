import { describe, expect, test } from "vitest";
import { extract, failureOf } from "./build-files.ts";
import { sentences, encode } from "./encoded-sentences.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages[0]?.text ?? "";

describe("RTF", () => {
  test("its text in any code page, without fonts, pictures and hidden groups", async () => {
    const source =
      "{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\generator Word;}\n" +
      "{\\info{\\title Plan}}\\pard \\b Fee\\b0  \\'cf\\'f0\\'e8 \\u8364?70 \\{a\\}\\par\n" +
      "A\\cell B\\cell\\row{\\pict\\wmetafile8 0102}End\\line here}";
    expect(await textOf(source, "a.rtf")).toBe("Fee При €70 {a}\n\nA\tB\nEnd\nhere");
  });

  test("a star in the middle of a group hides nothing, a group that begins with one is unread", async () => {
    expect(await textOf("{\\rtf1 {\\f2\\i0\\*\\cs7 The quick} fox\\par}", "a.rtf")).toBe(
      "The quick fox",
    );
    expect(await textOf("{\\rtf1 A{\\*\\bkmkstart hidden}{\\*\\unknown {x} y}B}", "a.rtf")).toBe(
      "AB",
    );
    const box = "{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv 1}}{\\shptxt Boxed\\par}}{\\shprslt Boxed}}";
    expect(await textOf(`{\\rtf1 ${box}}`, "a.rtf")).toBe("Boxed");
  });

  test("the text after a picture in binary, whose bytes look like braces and words", async () => {
    const bytes = "\x00}}\\par {\x89\x93";
    const picture = `{\\pict\\wmetafile8\\bin${bytes.length} ${bytes}}`;
    const source = Buffer.from(`{\\rtf1\\ansi Before ${picture}after.\\par}`, "latin1");
    expect(await textOf(source, "a.rtf")).toBe("Before after.");
    expect(await textOf("{\\rtf1 Cut off {\\pict\\bin90000 x", "a.rtf")).toBe("Cut off");
  });

  test("letters that are no escapes are those of the code page", async () => {
    const quoted = Buffer.from(
      "{\\rtf1\\ansi\\ansicpg1251 \x93\xcf\xeb\xe0\xed\x94 \x80}",
      "latin1",
    );
    expect(await textOf(quoted, "a.rtf")).toBe("“План” Ђ");
  });

  test("notes and comments follow their paragraph", async () => {
    const note = "{\\super\\chftn}{\\footnote\\pard See {\\i H3}.\\par}";
    const comment = "{\\*\\atnauthor MO}{\\*\\annotation{\\*\\atndate 1}Check this}";
    const source = `{\\rtf1 The fee${note} is due.${comment}\\par Next.\\par}`;
    expect(await textOf(source, "a.rtf")).toBe("The fee is due.\n\nSee H3.\n\nCheck this\n\nNext.");
  });

  test("paragraphs and tables within a cell are text of the cell", async () => {
    const nested =
      "in 1\\nestcell in 2\\nestcell{\\*\\nesttableprops\\nestrow}{\\nonesttables\\par}";
    const source =
      `{\\rtf1 Before\\par\\trowd\\pard\\intbl One\\par two\\cell ${nested}out\\cell\\row` +
      "\\pard\\intbl 3\\cell 4\\cell\\row\\pard After\\par}";
    expect(await textOf(source, "a.rtf")).toBe("Before\n\nOne two\tin 1 in 2 out\n3\t4\nAfter");
  });

  test("the number or the bullet of an item is before its text, in tables too", async () => {
    const numbers =
      "{\\listtext\\pard\\plain\\f2 1.\\tab}Term\\par{\\pntext\\tab 2.\\tab}Rent\\par";
    expect(await textOf(`{\\rtf1 ${numbers}{\\listtext\\tab}Law}`, "a.rtf")).toBe(
      "1. Term\n\n2. Rent\n\nLaw",
    );
    const cell = "\\pard\\intbl{\\listtext\\pard\\plain 1.\\tab}a\\par b\\cell c\\cell\\row";
    expect(await textOf(`{\\rtf1 ${cell}\\pard d}`, "a.rtf")).toBe("1. a b\tc\nd");
  });

  test("a line end after a backslash ends a paragraph", async () => {
    expect(await textOf("{\\rtf1 One\\\nTwo\\\r\nThree}", "a.rtf")).toBe("One\n\nTwo\n\nThree");
  });

  test("a word or the end of a group takes the place of what repeats a Unicode character", async () => {
    const source =
      "{\\rtf1 {\\listtext\\tab \\u8226 \\tab}First {\\i\\u233}nd \\u8212\\emdash x \\u8211\\b y}";
    expect(await textOf(source, "a.rtf")).toBe("• First énd —x –y");
  });

  test("letters of fonts of signs are the signs", async () => {
    const fonts =
      "{\\fonttbl{\\f0 Arial;}{\\f3\\froman\\fcharset2\\fprq2{\\*\\panose 05}Symbol;}{\\f4\\fcharset2 Other;}}";
    const source = `{\\rtf1${fonts}\\f0 a {\\f3 a\\'b3\\u-3999?}{\\f4 a}}`;
    expect(await textOf(source, "a.rtf")).toBe("a α≥αa");
  });

  test("groups nest up to the limit", async () => {
    const error = await failureOf(extract(`{\\rtf1 ${"{".repeat(1_000)}`, { filename: "a.rtf" }));
    expect(error.code).toBe("limit-exceeded");
  });
});

const read = async (content: Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map(({ text }) => text).join("\n");

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
    ["855", "russian", "cp855"],
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

  test.each(["932", "936", "949", "950"])(
    "no-break spaces of Outlook in code page %s",
    async (page) => {
      const source = `{\\rtf1\\ansi\\ansicpg${page} Gate\\htmlrtf \\'a0\\htmlrtf0 seven}`;
      expect(await read(Buffer.from(source), "a.rtf")).toMatch(/^Gate[ \u00a0]seven$/);
    },
  );
});
