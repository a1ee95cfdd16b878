import { builtInFormat, formatOfCode, type CellFormat } from "#lib/spreadsheets/number-format.ts";
import { readXml } from "./xml-events.ts";
import { ZipError, type ZipFile } from "./zip-file.ts";

/** Characters of shared strings that are held. */
const heldCharacters = 256 * 1024 * 1024;

export interface SheetPart {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

export interface Workbook {
  readonly sheets: readonly SheetPart[];
  readonly strings: readonly string[];
  /** The format of each style of cells. */
  readonly formats: readonly CellFormat[];
  readonly from1904: boolean;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/** Everything of a workbook except the cells of its sheets. Throws {@link ZipError}. */
export async function readWorkbook(zip: ZipFile): Promise<Workbook> {
  const [main] = [...(await relationsOf(zip, "")).values()].filter(
    ({ type }) => type === "officeDocument",
  );
  if (main === undefined) throw new ZipError("it has no workbook");
  const relations = await relationsOf(zip, main.target);
  const sheets: SheetPart[] = [];
  let from1904 = false;
  await readXml(zip.stream(main.target), {
    open(name, attributes) {
      // An extension of the workbook has an element of the same name.
      if (name === "workbookPr") from1904 ||= /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet") return;
      const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? "";
      const relation = relations.get(id);
      if (relation?.type !== "worksheet") return;
      const isHidden = (attributes["state"] ?? "visible") !== "visible";
      sheets.push({ name: attributes["name"] ?? "", part: relation.target, isHidden });
    },
  });
  const partOf = (wanted: string): string =>
    [...relations.values()].find(({ type }) => type === wanted)?.target ?? "";
  return {
    sheets,
    strings: await stringsIn(zip, partOf("sharedStrings")),
    formats: await formatsIn(zip, partOf("styles")),
    from1904,
  };
}

async function relationsOf(zip: ZipFile, part: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const slash = part.lastIndexOf("/") + 1;
  const [folder, file] = [part.slice(0, slash), part.slice(slash)];
  await readXml(zip.stream(`${folder}_rels/${file}.rels`), {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name !== "Relationship") return;
      const target = new URL(Target, `zip:/${folder}`).pathname.slice(1);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), target });
    },
  });
  return relations;
}

/** The shared strings (ECMA-376 part 1, 18.4) without phonetic readings (`rPh`). */
async function stringsIn(zip: ZipFile, part: string): Promise<string[]> {
  const strings: string[] = [];
  let held = 0;
  let current = "";
  let isText = false;
  let phonetic = 0;
  await readXml(zip.stream(part), {
    open(name) {
      if (name === "si") current = "";
      else if (name === "rPh") phonetic += 1;
      else if (name === "t") isText = phonetic === 0;
    },
    close(name) {
      if (name === "rPh") phonetic -= 1;
      else if (name === "t") isText = false;
      if (name !== "si") return;
      held += current.length;
      if (held > heldCharacters) throw new ZipError("it has too many texts: save it as CSV");
      strings.push(unescaped(current));
    },
    text(value) {
      if (isText) current += value;
    },
  });
  return strings;
}

/** A text without the escapes `_xHHHH_` of characters that XML lacks (ECMA-376, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

async function formatsIn(zip: ZipFile, part: string): Promise<CellFormat[]> {
  const custom = new Map<number, string>();
  const formats: CellFormat[] = [];
  let isInCells = false;
  await readXml(zip.stream(part), {
    open(name, attributes) {
      if (name === "cellXfs") isInCells = true;
      else if (name === "numFmt") {
        custom.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
      } else if (name === "xf" && isInCells) {
        const id = Number(attributes["numFmtId"] ?? 0);
        const code = custom.get(id);
        formats.push(code === undefined ? builtInFormat(id) : formatOfCode(code));
      }
    },
    close(name) {
      if (name === "cellXfs") isInCells = false;
    },
  });
  return formats;
}
