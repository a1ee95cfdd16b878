import { headingRows, tableLimits, type CellSpan, type PageTable } from "./page-table.ts";

/**
 * Marks of tables within text. They are noncharacters of Unicode, which no text needs; a file that
 * has some only marks its own text.
 */
export const marks = {
  /** The mark before the first row of a table. */
  table: "\ufdd0",
  /** The mark before each row, whose cells are divided by tabs. */
  row: "\ufdd1",
  /** The mark before text that follows a table. */
  end: "\ufdd2",
  /** The mark at the start of a cell that is a heading. */
  heading: "\ufdd3",
  /** The mark at the start of a cell, once for each further column or row that it covers. */
  wide: "\ufdd4",
  tall: "\ufdd5",
  /** The mark at the start of a cell that continues the one above. */
  same: "\ufdd6",
} as const;

const anyMark = /[\ufdd0-\ufdd6]/g;
const spannedAtMost = 32;

export function withoutMarks(text: string): string {
  return text.replace(anyMark, "");
}

/** The text of a cell without marks of tables within it; its paragraphs are lines. */
export function cellText(content: string): string {
  return withoutMarks(content)
    .trim()
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n");
}

/** The marks of a cell that covers several columns and rows. */
export function cellMarks(cell: {
  readonly isHeading?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly isSame?: boolean;
}): string {
  const times = (mark: string, count = 1): string =>
    mark.repeat(Math.max(0, Math.min(spannedAtMost, Math.floor(count) || 1) - 1));
  return (
    (cell.isHeading === true ? marks.heading : "") +
    (cell.isSame === true ? marks.same : "") +
    times(marks.wide, cell.columns) +
    times(marks.tall, cell.rows)
  );
}

/** A row as a marked line; a row without text is an empty line. */
export function markedRow(cells: readonly string[], isFirst: boolean): string {
  const line = cells.join("\t");
  if (withoutMarks(line).trim() === "") return "";
  return `${isFirst ? marks.table : ""}${marks.row}${line}`;
}

/** Joins texts so that a table at the end of one does not go on in the next. */
export function joinTexts(texts: readonly string[], separator: string): string {
  return texts
    .map((text, index) => {
      const before = texts[index - 1] ?? "";
      const isOpen = before.lastIndexOf(marks.row) > before.lastIndexOf(marks.end);
      return isOpen ? `${marks.end}${text}` : text;
    })
    .join(separator);
}

interface Mark {
  readonly kind: string;
  readonly at: number;
}

interface Cell {
  readonly span: CellSpan;
  readonly columns: number;
  readonly rows: number;
  readonly isHeading: boolean;
  readonly isSame: boolean;
}

interface Found {
  readonly rows: Cell[][];
  readonly continues: boolean;
}

/** Takes the marks out of the pages of a text, in order, and finds their tables. */
export class MarkedPages {
  #isOpen = false;

  next(marked: string): { readonly text: string; readonly tables: PageTable[] } {
    const { text, found } = unmarked(marked);
    if (found.length === 0) {
      this.#isOpen = false;
      return { text, tables: [] };
    }
    const tables: Found[] = [];
    let cells = 0;
    for (const [index, { kind, at }] of found.entries()) {
      if (kind === marks.table || kind === marks.end) this.#isOpen = false;
      if (kind !== marks.row) continue;
      if (!this.#isOpen) tables.push({ rows: [], continues: false });
      else if (tables.length === 0) tables.push({ rows: [], continues: true });
      this.#isOpen = true;
      const row = cellsBetween(text, at, endOfRow(found, index, text), found);
      cells += row.length;
      if (cells <= tableLimits.cellsOfPage) tables.at(-1)?.rows.push(row);
    }
    return { text, tables: tables.flatMap((table) => tableOf(text, table)) };
  }
}

/** The text, and the places in it where marks were. */
function unmarked(marked: string): { text: string; found: Mark[] } {
  const found: Mark[] = [];
  let text = "";
  let last = 0;
  for (const { 0: kind, index } of marked.matchAll(anyMark)) {
    text += marked.slice(last, index);
    last = index + 1;
    if (kind === marks.end) last += emptyLinesAfter(marked, last, text);
    found.push({ kind, at: text.length });
  }
  if (found.length === 0) return { text: marked, found };
  return { text: (text + marked.slice(last)).trimEnd(), found };
}

/** Line ends to leave out, since a mark alone on its line has hidden an empty line. */
function emptyLinesAfter(marked: string, from: number, before: string): number {
  let ahead = 0;
  while (marked[from + ahead] === "\n") ahead += 1;
  if (before === "") return ahead;
  let behind = 0;
  while (before[before.length - 1 - behind] === "\n") behind += 1;
  return behind === 0 ? 0 : Math.max(0, behind + ahead - 2);
}

function endOfRow(found: readonly Mark[], index: number, text: string): number {
  for (let next = index + 1; next < found.length; next += 1) {
    const mark = found[next];
    if (mark === undefined) break;
    if (mark.kind === marks.table || mark.kind === marks.row || mark.kind === marks.end) {
      return Math.min(mark.at, text.length);
    }
  }
  return text.length;
}

function cellsBetween(text: string, from: number, to: number, found: readonly Mark[]): Cell[] {
  const cells: Cell[] = [];
  let at = from;
  let next = firstFrom(found, from);
  for (const written of text.slice(from, to).split("\t", tableLimits.columns)) {
    const counts = new Map<string, number>();
    for (; (found[next]?.at ?? Infinity) <= at + written.length; next += 1) {
      const { kind = "", at: place = 0 } = found[next] ?? {};
      // A mark at a cell's end belongs to the next row.
      if (place > at && place === to) break;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const start = at + written.length - written.trimStart().length;
    const end = Math.max(start, at + written.trimEnd().length);
    cells.push({
      span: [start, end],
      columns: 1 + (counts.get(marks.wide) ?? 0),
      rows: 1 + (counts.get(marks.tall) ?? 0),
      isHeading: counts.has(marks.heading),
      isSame: counts.has(marks.same),
    });
    at += written.length + 1;
  }
  return cells;
}

/** The index of the first mark at a place or after it. */
function firstFrom(found: readonly Mark[], place: number): number {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.at ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The table as a grid; none for a list, for the layout of a page, or for one row. */
function tableOf(text: string, { rows: given, continues }: Found): PageTable[] {
  const all = grid(given.slice(0, tableLimits.rowsOfTable));
  const textOf = ([start, end]: CellSpan): string => text.slice(start, end);
  // A title over the columns is one cell.
  const first = all.findIndex(({ cells }) => {
    const starts = cells.flatMap(([start, end]) => (end > start ? [start] : []));
    return new Set(starts).size > 1;
  });
  const kept = first < 0 ? [] : all.slice(continues ? 0 : first);
  const rows = kept.map(({ cells }) => cells);
  const texts = rows.map((row) => row.map(textOf));
  const isLayout = texts.some((row) =>
    row.some((each) => each.length > tableLimits.cellCharacters),
  );
  if (isLayout || rows.length < (continues ? 1 : 2)) return [];
  const columns = rows[0]?.length ?? 0;
  const filled = Array.from({ length: columns }, (_, column) =>
    texts.some((row) => row[column] !== ""),
  );
  if (filled.filter(Boolean).length < 2) return [];
  if (continues) return [{ header: 0, rows, continues }];
  const marked = kept.findIndex(({ isHeading }) => !isHeading);
  const header = marked < 0 ? 0 : marked;
  return [{ header: header > 0 ? header : headingRows(texts), rows }];
}

/** Places merged cells, and gives each row the same number of cells. */
function grid(rows: readonly (readonly Cell[])[]) {
  const below = new Map<number, { span: CellSpan; rows: number }>();
  const placed: { cells: CellSpan[]; isHeading: boolean }[] = [];
  let columns = 0;
  for (const row of rows) {
    const cells: CellSpan[] = [];
    const fromAbove = (): void => {
      for (let above = below.get(cells.length); above !== undefined;) {
        above.rows -= 1;
        if (above.rows === 0) below.delete(cells.length);
        cells.push(above.span);
        above = below.get(cells.length);
      }
    };
    for (const cell of row) {
      fromAbove();
      const same = cell.isSame ? placed.at(-1)?.cells[cells.length] : undefined;
      for (let times = 0; times < cell.columns && cells.length < tableLimits.columns; times += 1) {
        if (cell.rows > 1) below.set(cells.length, { span: cell.span, rows: cell.rows - 1 });
        cells.push(same ?? cell.span);
      }
    }
    fromAbove();
    columns = Math.max(columns, cells.length);
    const written = row.filter(({ span: [start, end] }) => end > start);
    placed.push({ cells, isHeading: written.length > 0 && written.every((c) => c.isHeading) });
  }
  for (const { cells } of placed) {
    const [, end = 0] = cells.at(-1) ?? [];
    while (cells.length < columns) cells.push([end, end]);
  }
  return placed;
}
