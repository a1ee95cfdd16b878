import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import { tooDeep } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { readFiles, type FileReader } from "./embedded/embedded-files.ts";
import { writePictures, type EmbeddedPicture } from "./pictures/embedded-pictures.ts";
import { decoderNamed } from "./encoding.ts";
import { signOf, textInFont } from "./word-signs.ts";

/** Groups that hold no text of the document (Rich Text Format 1.9.1). */
const leftOut = new Set(
  (
    "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore " +
    "latentstyles listtable listoverridetable rsidtbl generator xmlnstbl fldinst filetbl revtbl " +
    "nonesttables shprslt sp"
  ).split(" "),
);
/** Groups with text that begin with the mark of those which older readers leave out. */
const readThough = new Set(["annotation", "shpinst", "footnote"]);
/** Groups with the number or the bullet of a list item, and tabs around it. */
const itemNumbers = new Set(["listtext", "pntext"]);
/** Groups whose text follows their paragraph. */
const notes = new Set(["footnote", "annotation"]);
const written: Readonly<Record<string, string>> = {
  par: "\n\n",
  sect: "\n\n",
  page: "\n\n",
  line: "\n",
  row: "\n",
  tab: "\t",
  cell: "\t",
  nestcell: " ",
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

/** Words that may repeat a Unicode character for older readers. */
const repeating = new Set("emdash endash bullet lquote rquote ldblquote rdblquote".split(" "));

/** The kind of a group with the data of another program. */
const object = "object";

interface Picture {
  kind: string;
  bytes?: Uint8Array;
  readonly digits: string[];
}

interface Group {
  readonly isLeftOut: boolean;
  /** Characters after a Unicode one that repeat it for older readers. */
  readonly repeats: number;
  /** The encoding of the font; undefined for that of the document. */
  readonly charset: string | undefined;
  readonly isNote: boolean;
  readonly isItemNumber: boolean;
  /** The bytes of a picture or an object, as they are or as hexadecimal digits. */
  readonly picture?: Picture | undefined;
}

/**
 * Reads the text of an RTF in its code page: one line per table row, tabs between cells, notes and
 * comments after their paragraph, a table within a cell as text of the cell, and last the files
 * within it.
 */
export async function extractRtf(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  read: FileReader,
): Promise<DocumentMetadata> {
  // A character for each byte; the "latin1" of TextDecoder is Windows-1252.
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const reader = new RtfReader(source, limits.depth);
  const tokens = new RegExp(token);
  for (let match = tokens.exec(source); match !== null; match = tokens.exec(source)) {
    const [, word, number] = match;
    if (word === "bin") {
      // Its bytes follow, which may look like braces and words.
      const end = tokens.lastIndex + Math.max(0, Number(number ?? 0));
      reader.readBytes(bytes.subarray(tokens.lastIndex, end));
      tokens.lastIndex = Math.min(end, source.length);
    } else reader.read(match);
  }
  await writer.flow(reader.text());
  await writePictures(writer, reader.pictures);
  await readFiles(reader.objects, { limits, writer, read });
  return {};
}

class RtfReader {
  readonly #ofDocument: string | undefined;
  readonly #fonts: ReadonlyMap<number, string>;
  readonly #groups: Group[] = [];
  readonly #out = new RtfText();
  #group: Group = {
    isLeftOut: false,
    repeats: 1,
    charset: undefined,
    isNote: false,
    isItemNumber: false,
  };
  #skips = 0;
  #encoded: number[] = [];
  /** The next word is the first of its group, and names what the group is. */
  #isAtStart = false;
  #isMarked = false;
  /** The PNG and JPEG pictures. */
  readonly pictures: EmbeddedPicture[] = [];
  readonly objects: EmbeddedPicture[] = [];

  constructor(
    source: string,
    private readonly depth: number,
  ) {
    this.#ofDocument = codePages[/\\ansicpg(\d{1,5})/.exec(source.slice(0, 4096))?.[1] ?? ""];
    this.#fonts = fontCharsets(source);
  }

  text(): string {
    this.#flush();
    return this.#out.text();
  }

  read([whole, word, number, byte, symbol, brace]: RegExpExecArray): void {
    if (/^[\r\n]/.test(whole)) return;
    if (brace !== undefined) return this.#readBrace(brace);
    const isAtStart = this.#isAtStart;
    this.#isAtStart = isAtStart && symbol === "*";
    if (symbol === "*") this.#isMarked = isAtStart;
    else if (word !== undefined) this.#readWord(word, number, isAtStart);
    else if (byte !== undefined) {
      if (this.#skips > 0) this.#skips -= 1;
      else if (!this.#group.isLeftOut) this.#encoded.push(Number.parseInt(byte, 16));
    } else if (symbol === "\n" || symbol === "\r") this.#write("\n\n", "par");
    else if (symbol !== undefined) {
      this.#write(symbol === "~" ? " " : symbol === "_" ? "-" : symbolText(symbol));
    } else {
      this.#group.picture?.digits.push(whole);
      // A letter may be the second byte of a character.
      const shown = this.#group.isLeftOut ? "" : whole.slice(this.#skips);
      this.#skips = Math.max(0, this.#skips - whole.length);
      for (const letter of shown) this.#encoded.push(letter.charCodeAt(0));
    }
  }

  readBytes(bytes: Uint8Array): void {
    this.#isAtStart = false;
    // Some files have the word without a number, and digits after it.
    const { picture } = this.#group;
    if (picture !== undefined && bytes.length > 0) picture.bytes = bytes;
  }

  #readBrace(brace: string): void {
    this.#flush();
    this.#skips = 0;
    this.#isAtStart = brace === "{";
    this.#isMarked = false;
    if (brace === "{") {
      this.#groups.push(this.#group);
      if (this.#groups.length > this.depth) throw tooDeep(this.depth);
      this.#group = { ...this.#group, isNote: false, picture: undefined };
      return;
    }
    this.#endPicture();
    if (this.#group.isNote) this.#out.endNote();
    const isNumber = this.#group.isItemNumber;
    this.#group = this.#groups.pop() ?? this.#group;
    if (isNumber && !this.#group.isItemNumber) this.#out.endNumber();
  }

  #endPicture(): void {
    const { kind = "", digits = [], bytes: written } = this.#group.picture ?? {};
    if (kind === "") return;
    const bytes = written ?? Buffer.from(digits.join("").replace(/\s+/g, ""), "hex");
    if (kind === object) this.objects.push({ name: `object ${this.objects.length + 1}`, bytes });
    else this.pictures.push({ name: `${this.pictures.length + 1}.${kind}`, bytes });
  }

  #readWord(word: string, number: string | undefined, isFirst: boolean): void {
    if (isFirst) this.#readKind(word);
    // A word counts as one of the characters that repeat a Unicode one.
    const isRepeated = this.#skips > 0 && repeating.has(word);
    if (this.#skips > 0) this.#skips -= 1;
    if (isRepeated) return;
    // Outlook writes it at both ends of what stands for a sign of HTML.
    if (word === "htmlrtf") this.#flush();
    else if (word === "f" || word === "plain") {
      this.#flush();
      const charset = word === "f" ? this.#fonts.get(Number(number)) : undefined;
      this.#group = { ...this.#group, charset };
    } else if (word === "pngblip" || word === "jpegblip") {
      if (this.#group.picture !== undefined) this.#group.picture.kind = word.slice(0, -4);
    } else if (word === "uc") {
      const repeats = Math.min(8, Math.max(0, Number(number)));
      this.#group = { ...this.#group, repeats };
    } else if (word === "u") {
      // Negative numbers are those above 32,767.
      const letter = String.fromCharCode(Number(number ?? 0) & 0xffff);
      this.#write(textInFont(letter, this.#group.charset ?? ""));
      this.#skips = this.#group.repeats;
    } else if ((word === "intbl" || word === "pard") && !this.#group.isItemNumber) {
      this.#flush();
      this.#out.isInTable = word === "intbl";
    } else if (Object.hasOwn(written, word)) this.#write(written[word] ?? "", word);
  }

  /** The first word of a group says if its text belongs to the document. */
  #readKind(word: string): void {
    const isUnread = leftOut.has(word) || (this.#isMarked && !readThough.has(word));
    this.#isMarked = false;
    const kind = word === "objdata" ? object : "";
    const picture = word === "pict" || kind === object ? { kind, digits: [] } : undefined;
    if (isUnread) this.#group = { ...this.#group, isLeftOut: true, picture };
    else if (notes.has(word) && !this.#group.isLeftOut) {
      this.#group = { ...this.#group, isNote: true };
      this.#out.startNote();
    } else if (itemNumbers.has(word) && !this.#group.isLeftOut) {
      this.#group = { ...this.#group, isItemNumber: true };
      this.#out.startNumber();
    }
  }

  #write(text: string, word?: string): void {
    this.#flush();
    if (!this.#group.isLeftOut) this.#out.write(text, word);
  }

  #flush(): void {
    if (this.#encoded.length > 0) {
      const charset = this.#group.charset ?? this.#ofDocument ?? "windows-1252";
      const signs = this.#encoded.map((code) => signOf(charset, code));
      const text = signs.includes(undefined) ? decodedIn(charset, this.#encoded) : signs.join("");
      this.#out.write(text);
    }
    this.#encoded = [];
  }
}

const eastAsian: ReadonlySet<string> = new Set(["shift_jis", "gbk", "euc-kr", "big5"]);
/** Windows has it in these code pages too, where the byte alone is no character elsewhere. */
const noBreakSpace = 0xa0;

function decodedIn(charset: string, codes: readonly number[]): string {
  const isSpace = codes.length === 1 && codes[0] === noBreakSpace;
  if (isSpace && eastAsian.has(charset)) return "\u00a0";
  return decoderNamed(charset)?.decode(Uint8Array.from(codes)) ?? "";
}

/** Collects text; notes wait for the end of their paragraph or row. */
class RtfText {
  /** True in paragraphs of a table's cells. */
  isInTable = false;
  /** The document, and the notes that are open. */
  readonly #buffers: string[][] = [[]];
  readonly #notes: string[] = [];
  #cellStart = 0;
  #numberStart = 0;

  text(): string {
    while (this.#buffers.length > 1) this.endNote();
    this.#writeNotes();
    return this.#buffers.flat().join("").replace(/\t\n/g, "\n");
  }

  startNote(): void {
    this.#buffers.push([]);
  }

  startNumber(): void {
    this.#numberStart = this.#buffers.at(-1)?.length ?? 0;
  }

  /** Writes the number or the bullet of an item without the tabs around it. */
  endNumber(): void {
    const buffer = this.#buffers.at(-1) ?? [];
    const number = buffer.splice(this.#numberStart).join("").trim();
    if (number !== "") buffer.push(`${number} `);
  }

  endNote(): void {
    if (this.#buffers.length === 1) return;
    const note = this.#buffers.pop()?.join("").trim() ?? "";
    if (note !== "") this.#notes.push(note);
  }

  write(text: string, word?: string): void {
    const buffer = this.#buffers.at(-1) ?? [];
    if (this.#buffers.length > 1) {
      buffer.push(word === "cell" || word === "row" ? " " : text);
      return;
    }
    if (word === "cell") {
      const cell = buffer.splice(this.#cellStart).join("").trim().replace(/\s+/g, " ");
      buffer.push(cell, text);
    } else if (word === "par" && this.isInTable) buffer.push("\n");
    else buffer.push(text);
    const isEnd = word === "row" || (/^(?:par|sect|page)$/.test(word ?? "") && !this.isInTable);
    if (isEnd) this.#writeNotes();
    if (isEnd || word === "cell") this.#cellStart = buffer.length;
  }

  #writeNotes(): void {
    for (const note of this.#notes.splice(0)) this.#buffers[0]?.push(`\n\n${note}\n\n`);
  }
}

/** An escaped brace or backslash; other symbols are formatting. */
function symbolText(symbol: string): string {
  return symbol === "{" || symbol === "}" || symbol === "\\" ? symbol : "";
}

/** Encodings of code pages and of the character sets of fonts (Rich Text Format 1.9.1). */
const codePages: Readonly<Record<string, string>> = {
  "437": "cp437",
  "850": "cp850",
  "852": "cp852",
  "855": "cp855",
  "866": "ibm866",
  "874": "windows-874",
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "1361": "johab",
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
  "130": "1361",
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

/** The encodings that the fonts of the table have, by their numbers; fonts of signs their names. */
function fontCharsets(source: string): ReadonlyMap<number, string> {
  const fonts = new Map<number, string>();
  for (const match of source.matchAll(/\\f(\d{1,5})[^{}]{0,80}?\\fcharset(\d{1,3})/g)) {
    const [whole, font, set] = match;
    const after = match.index + whole.length;
    const charset =
      set === signSet
        ? signFont.exec(source.slice(after, after + 200))?.[1]
        : codePages[fontPages[set ?? ""] ?? ""];
    if (charset !== undefined) fonts.set(Number(font), charset);
    if (fonts.size > fontsAtMost) break;
  }
  return fonts;
}

const signSet = "2";
const signFont = /^(?:\\\w+ ?|\{[^{}]*\})*\s*(Symbol|Wingdings(?: 2)?);/i;
