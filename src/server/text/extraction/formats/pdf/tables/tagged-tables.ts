import { cellMarks, markedRow } from "../../../../tables/table-marks.ts";
import { lineBreak } from "./cell-lines.ts";
import type { LinePart, PositionedTable, TaggedCell } from "./pdf-tables.ts";

interface CellPart extends LinePart {
  readonly cell: TaggedCell;
}

/** The tables that the structure of a page names, by the cells of its parts. */
export function taggedTables(parts: readonly LinePart[]): PositionedTable[] {
  const inCells = parts.filter((part): part is CellPart => part.cell !== undefined);
  return [...Map.groupBy(inCells, ({ cell }) => cell.table).values()].map(tableOf);
}

function tableOf(parts: readonly CellPart[]): PositionedTable {
  const rows = [...Map.groupBy(parts, ({ cell }) => cell.row).values()];
  const columns = 1 + Math.max(...parts.map(({ cell }) => cell.column));
  const edges = Array.from({ length: columns }, (_, column) =>
    Math.max(...parts.filter(({ cell }) => cell.column === column).map(({ end }) => end)),
  );
  const inOrder = rows.flatMap((row) =>
    row.toSorted((one, other) => one.cell.column - other.cell.column),
  );
  return {
    parts,
    text: rows.map((row, index) => markedRow(cellTexts(row, edges), index === 0)).join("\n"),
    words: inOrder.flatMap(({ words }) => words),
  };
}

function cellTexts(row: readonly CellPart[], edges: readonly number[]): string[] {
  return edges.map((edge, column) => {
    const own = row.filter(({ cell }) => cell.column === column);
    const isHeading = own[0]?.cell.isHeading ?? false;
    return `${cellMarks({ isHeading })}${textOf(own, isHeading ? -Infinity : edge)}`;
  });
}

/** The text of a cell. Lines that end before the edge of their column are lines of the cell. */
function textOf(parts: readonly CellPart[], edge: number): string {
  let text = "";
  let last: CellPart | undefined;
  for (const part of parts) {
    const isSameLine = last !== undefined && Math.abs(last.y - part.y) < part.size / 2;
    if (last !== undefined)
      text += isSameLine ? " " : lineBreak({ text, end: last.end }, part, edge);
    text += part.text.replace(/\s+/g, " ").trim();
    last = part;
  }
  return text;
}
