import type { FormatReader } from "../extracted-document.ts";
import { tooDeep } from "../extraction-error.ts";
import { decoderNamed } from "./encoding.ts";

/** Groups that hold no text of the document (Rich Text Format 1.9.1). */
const leftOut = new Set(
  (
    "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore " +
    "latentstyles listtable listoverridetable rsidtbl generator xmlnstbl fldinst filetbl revtbl"
  ).split(" "),
);
const written: Readonly<Record<string, string>> = {
  par: "\n\n",
  sect: "\n\n",
  page: "\n\n",
  line: "\n",
  row: "\n",
  tab: "\t",
  cell: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};
const token =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi;

interface Group {
  readonly isLeftOut: boolean;
  /** Characters after a Unicode one that repeat it for older readers. */
  readonly repeats: number;
  /** The encoding of the font; undefined for that of the document. */
  readonly charset: string | undefined;
}

/** Reads the text of an RTF in its code page: one line per table row, tabs between cells. */
export const extractRtf: FormatReader = async (bytes, limits, writer) => {
  const source = new TextDecoder("latin1").decode(bytes);
  const ofDocument = codePages[/\\ansicpg(\d{1,5})/.exec(source.slice(0, 4096))?.[1] ?? ""];
  const fonts = fontCharsets(source);
  const groups: Group[] = [];
  const out: string[] = [];
  let group: Group = { isLeftOut: false, repeats: 1, charset: undefined };
  let skips = 0;
  let encoded: number[] = [];
  const flush = (): void => {
    if (encoded.length > 0) {
      const charset = group.charset ?? ofDocument ?? "windows-1252";
      out.push(decoderNamed(charset)?.decode(Uint8Array.from(encoded)) ?? "");
    }
    encoded = [];
  };
  const write = (text: string): void => {
    flush();
    if (!group.isLeftOut) out.push(text);
  };
  for (const [whole, word, number, byte, symbol, brace] of source.matchAll(token)) {
    if (brace === "{") {
      flush();
      groups.push(group);
      if (groups.length > limits.depth) throw tooDeep(limits.depth);
    } else if (brace === "}") {
      flush();
      group = groups.pop() ?? group;
    } else if (byte !== undefined) {
      if (skips > 0) skips -= 1;
      else if (!group.isLeftOut) encoded.push(Number.parseInt(byte, 16));
    } else if (word !== undefined) {
      if (word === "f" || word === "plain") {
        flush();
        group = { ...group, charset: word === "f" ? fonts.get(Number(number)) : undefined };
      } else if (leftOut.has(word)) group = { ...group, isLeftOut: true };
      else if (word === "uc")
        group = { ...group, repeats: Math.min(8, Math.max(0, Number(number))) };
      else if (word === "u") {
        // Negative numbers are those above 32,767.
        write(String.fromCharCode(Number(number ?? 0) & 0xffff));
        skips = group.repeats;
      } else if (Object.hasOwn(written, word)) write(written[word] ?? "");
    } else if (symbol === "*") group = { ...group, isLeftOut: true };
    else if (symbol !== undefined)
      write(symbol === "~" ? " " : symbol === "_" ? "-" : symbolText(symbol));
    else if (!/^[\r\n]/.test(whole)) {
      // A letter may be the second byte of a character.
      const shown = group.isLeftOut ? "" : whole.slice(skips);
      skips = Math.max(0, skips - whole.length);
      for (const letter of shown) encoded.push(letter.charCodeAt(0));
    }
  }
  flush();
  await writer.flow(out.join("").replace(/\t\n/g, "\n"));
  return {};
};

/** An escaped brace or backslash; other symbols are formatting. */
function symbolText(symbol: string): string {
  return symbol === "{" || symbol === "}" || symbol === "\\" ? symbol : "";
}

/** Encodings of code pages and of the character sets of fonts (Rich Text Format 1.9.1). */
const codePages: Readonly<Record<string, string>> = {
  "437": "cp437",
  "850": "cp850",
  "852": "cp852",
  "866": "ibm866",
  "874": "windows-874",
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "10000": "macintosh",
  "10007": "x-mac-cyrillic",
  "20866": "koi8-r",
  "65001": "utf-8",
  ...Object.fromEntries([1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map(windows)),
  ...Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 15].map((part) => [28590 + part, `iso-8859-${part}`]),
  ),
};
const fontPages: Readonly<Record<string, string>> = {
  "77": "10000",
  "128": "932",
  "129": "949",
  "134": "936",
  "136": "950",
  "161": "1253",
  "162": "1254",
  "163": "1258",
  "177": "1255",
  "178": "1256",
  "186": "1257",
  "204": "1251",
  "222": "874",
  "238": "1250",
};
const fontsAtMost = 1_000;

function windows(page: number): [string, string] {
  return [String(page), `windows-${page}`];
}

/** The encodings that the fonts of the table have, by their numbers. */
function fontCharsets(source: string): ReadonlyMap<number, string> {
  const fonts = new Map<number, string>();
  for (const [, font, set] of source.matchAll(/\\f(\d{1,5})[^{}]{0,80}?\\fcharset(\d{1,3})/g)) {
    const charset = codePages[fontPages[set ?? ""] ?? ""];
    if (charset !== undefined) fonts.set(Number(font), charset);
    if (fonts.size > fontsAtMost) break;
  }
  return fonts;
}
