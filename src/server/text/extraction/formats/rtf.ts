import { TextDecoder as TextDecoderOfAnyName } from "node:util";
import type { FormatReader } from "../extracted-document.ts";
import { tooDeep } from "../extraction-error.ts";

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
}

/** Reads the text of an RTF in its code page: one line per table row, tabs between cells. */
export const extractRtf: FormatReader = async (bytes, limits, writer) => {
  const source = new TextDecoder("latin1").decode(bytes);
  const decoder = decoderOf(/\\ansicpg(\d{1,5})/.exec(source.slice(0, 4096))?.[1]);
  const groups: Group[] = [];
  const out: string[] = [];
  let group: Group = { isLeftOut: false, repeats: 1 };
  let skips = 0;
  let encoded: number[] = [];
  const flush = (): void => {
    if (encoded.length > 0) out.push(decoder.decode(Uint8Array.from(encoded)));
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
      if (leftOut.has(word)) group = { ...group, isLeftOut: true };
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
      const shown = whole.slice(skips);
      skips = Math.max(0, skips - whole.length);
      write(shown);
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

function decoderOf(codePage: string | undefined): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoderOfAnyName(`windows-${codePage ?? "1252"}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}
