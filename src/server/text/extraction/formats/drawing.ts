import { markedRow, marks } from "../../tables/table-marks.ts";
import { SlideNumbers } from "./numbering/slide-numbers.ts";
import { DrawingTexts } from "./pictures/alternative-text.ts";
import type { DrawnShapes } from "./pictures/drawn-shapes.ts";
import type { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";

/**
 * The text that belongs to a part and is stored in others: charts with their titles, categories
 * and values, SmartArt, comments, and the drawings of a worksheet with their text boxes.
 */
export function textsNextTo(
  file: OfficePackage,
  part: string,
  kinds: ReadonlySet<string> = allKinds,
): string[] {
  const related = [...file.relationships(part).values()];
  const isThreaded = related.some(({ type }) => type === "threadedComment");
  const texts: string[] = [];
  for (const { type, target } of related) {
    // Threaded comments repeat in the older form.
    if (!kinds.has(type) || (type === "comments" && isThreaded)) continue;
    const reader = readers.get(type);
    const bytes = reader === undefined ? null : file.optionalPart(target);
    if (reader === undefined || bytes === null) continue;
    texts.push(reader(file, bytes));
    if (type === "drawing") texts.push(...textsNextTo(file, target));
  }
  return texts.filter((text) => text !== "");
}

const readers: ReadonlyMap<string, (file: OfficePackage, bytes: Uint8Array) => string> = new Map([
  ["chart", chartText],
  ["diagramData", (file, bytes) => drawingText(file, bytes)],
  ["drawing", (file, bytes) => drawingText(file, bytes)],
  ["comments", commentsText],
  ["threadedComment", commentsText],
]);

const allKinds: ReadonlySet<string> = new Set(readers.keys());

/**
 * The paragraphs and tables of a drawing, e.g. a slide or its notes (ECMA-376 part 1, 21.1.2), and
 * the alternative texts of its pictures. `shapes` receives its elements too.
 */
export function drawingText(file: OfficePackage, bytes: Uint8Array, shapes?: DrawnShapes): string {
  const lines: string[] = [];
  const numbers = new SlideNumbers();
  const pictures = new DrawingTexts();
  let line = "";
  let row: string[] | null = null;
  let cell: string[] | null = null;
  let inText = false;
  let fields = 0;
  let rowsOfTable = 0;
  /** The end of a table, which waits for the text after it. */
  let ended = "";
  const endParagraph = (): void => {
    const text = line.trim();
    line = "";
    if (text !== "") add(`${numbers.next()}${text}`);
  };
  const add = (text: string): void => {
    if (cell === null) lines.push(`${ended}${text}`);
    else cell.push(text.replace(/\s+/g, " "));
    if (cell === null) ended = "";
  };
  file.readXml(bytes, {
    open(name, attributes) {
      shapes?.open(name, attributes);
      numbers.open(name, attributes);
      const described = pictures.open(name, attributes);
      if (described !== "") add(described);
      // The fields of notes are the slide's number and the date.
      if (name === "fld") fields += 1;
      else if (name === "t") inText = fields === 0;
      else if (name === "br") line += "\n";
      else if (name === "tab") line += "\t";
      else if (name === "tbl") rowsOfTable = 0;
      else if (name === "tr") row = [];
      else if (name === "tc") cell = [];
    },
    close(name) {
      shapes?.close(name);
      if (name === "fld") fields -= 1;
      else if (name === "t") inText = false;
      else if (name === "p") endParagraph();
      else if (name === "tc") {
        row?.push((cell ?? []).join(" "));
        cell = null;
      } else if (name === "tr") {
        lines.push(markedRow(row ?? [], rowsOfTable === 0));
        rowsOfTable += 1;
        row = null;
      } else if (name === "tbl") ended = marks.end;
    },
    text(value) {
      if (inText) line += value;
    },
  });
  return `${lines.join("\n")}${ended}`;
}

interface Series {
  name: string;
  readonly categories: Map<number, string>;
  readonly values: Map<number, string>;
}

/** A chart as its titles and a table of its series (ECMA-376 part 1, 21.2). */
function chartText(file: OfficePackage, bytes: Uint8Array): string {
  const titles: string[] = [];
  const all: Series[] = [];
  let title: string | undefined;
  let series: Series | undefined;
  let section = "";
  let index = 0;
  let isRead = false;
  file.readXml(bytes, {
    open(name, attributes) {
      if (name === "title") title = "";
      else if (name === "ser") {
        series = { name: "", categories: new Map(), values: new Map() };
        all.push(series);
      } else if (sections.has(name)) section = name;
      else if (name === "pt") index = Number(attribute(attributes, "idx") ?? index);
      isRead = name === "v" || name === "t";
    },
    close(name) {
      isRead = false;
      if (name === "title") {
        titles.push(title?.trim() ?? "");
        title = undefined;
      } else if (name === "ser") series = undefined;
      else if (name === section) section = "";
      else if (name === "p" && title !== undefined) title += " ";
    },
    text(value) {
      if (!isRead) return;
      if (title !== undefined) title += value;
      else if (series === undefined) return;
      else if (section === "tx") series.name += value;
      else {
        const points = labels.has(section) ? series.categories : series.values;
        if (section !== "") points.set(index, (points.get(index) ?? "") + value);
      }
    },
  });
  return [...titles.filter((text) => text !== ""), ...rowsOf(all)].join("\n");
}

const labels: ReadonlySet<string> = new Set(["cat", "xVal"]);
const sections: ReadonlySet<string> = new Set(["tx", "val", "yVal", "bubbleSize", ...labels]);

function rowsOf(all: readonly Series[]): string[] {
  const first = all.find(({ categories }) => categories.size > 0) ?? all[0];
  if (first === undefined) return [];
  const places = new Set(
    all.flatMap(({ categories, values }) => [...categories, ...values]).map(([place]) => place),
  );
  const rows = [
    ["", ...all.map(({ name }) => name)],
    ...[...places]
      .toSorted((a, b) => a - b)
      .map((place) => [
        first.categories.get(place) ?? "",
        ...all.map(({ values }) => values.get(place) ?? ""),
      ]),
  ];
  const lines = rows.map((row, index) =>
    markedRow(
      row.map((cell) => cell.replace(/\s+/g, " ").trim()),
      index === 0,
    ),
  );
  return [`${lines.join("\n")}${marks.end}`];
}

/** One line per comment of a slide or a worksheet, with its cell. */
function commentsText(file: OfficePackage, bytes: Uint8Array): string {
  const lines: string[] = [];
  let line = "";
  let cell = "";
  let open = 0;
  file.readXml(bytes, {
    open(name, attributes) {
      if (commentNames.has(name)) {
        line = "";
        cell = attribute(attributes, "ref") ?? "";
      } else if (name === "text" || name === "t") open += 1;
    },
    close(name) {
      if (name === "text" || name === "t") open -= 1;
      else if (name === "p") line += " ";
      // A reply ends before the comment that it belongs to.
      if (!commentNames.has(name) && name !== "txBody") return;
      const text = line.replace(/\s+/g, " ").trim();
      line = "";
      if (text !== "") lines.push(cell === "" ? text : `${cell}: ${text}`);
    },
    text(value) {
      if (open > 0) line += value;
    },
  });
  return lines.join("\n");
}

const commentNames: ReadonlySet<string> = new Set(["comment", "threadedComment", "cm", "reply"]);
