import { cellMarks, markedRow } from "../../../tables/table-marks.ts";
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
  const inOrder = rows.flatMap((row) =>
    row.toSorted((one, other) => one.cell.column - other.cell.column),
  );
  return {
    parts,
    text: rows.map((row, index) => markedRow(cellTexts(row, columns), index === 0)).join("\n"),
    words: inOrder.flatMap(({ words }) => words),
  };
}

function cellTexts(row: readonly CellPart[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => {
    const own = row.filter(({ cell }) => cell.column === column);
    const text = own.map((part) => part.text.replace(/\s+/g, " ").trim()).join(" ");
    return `${cellMarks({ isHeading: own[0]?.cell.isHeading ?? false })}${text}`;
  });
}
