import type { LabelCell as Cell } from "./label-cells.ts";

/** A cell of a line, by the numbers of the line and of the cell in it. */
export interface At {
  readonly row: number;
  readonly column: number;
}

const linesBelow = 3;

/**
 * The cells below one in its column, in the next lines: by the columns of a table, else in lines
 * with as many cells, or the first one below a cell that is alone.
 */
export function cellsBelow(lines: readonly Cell[][], { row, column }: At): Cell[] {
  const cells = lines[row] ?? [];
  const cell = cells[column];
  const next = lines.slice(row + 1, row + 1 + linesBelow + 1).filter((line) => line.length > 0);
  if (cell?.table !== undefined) {
    const isSame = (each: Cell): boolean => each.table === cell.table;
    const end = next.findIndex((line) => !line.some(isSame));
    const found = next
      .slice(0, end < 0 ? next.length : end)
      .flatMap((line) => line.find((each) => isSame(each) && each.column === cell.column) ?? []);
    if (found.length > 0 || cells.length > 1) return found;
  }
  const nearest = lines.slice(row + 1, row + 1 + linesBelow).find((line) => line.length > 0);
  if (nearest === undefined) return [];
  const end = next.findIndex((line) => line.length !== cells.length);
  if (end !== 0)
    return next.slice(0, end < 0 ? next.length : end).flatMap((line) => line[column] ?? []);
  // A label above a table is no label of the table's first heading.
  const isAboveTable = nearest.length > 2 && isHeadingRow(lines, lines.indexOf(nearest));
  return cells.length === 1 && !isAboveTable ? nearest.slice(0, 1) : [];
}

/** True for a line of several labels whose values are below: it has no digit, and they have. */
export function isHeadingRow(lines: readonly Cell[][], row: number): boolean {
  const cells = lines[row] ?? [];
  const values = lines[row + 1] ?? [];
  if (cells.length < 2 || cells.some(hasDigit) || !values.some(hasDigit)) return false;
  return values.length === cells.length || areInColumnsOf(cells, values);
}

/** True if all cells of a line are in columns in which the line above has a cell. */
function areInColumnsOf(above: readonly Cell[], cells: readonly Cell[]): boolean {
  return (
    cells.length > 1 &&
    cells.every(
      ({ table, column }) =>
        table !== undefined && above.some((each) => each.table === table && each.column === column),
    )
  );
}

/** True for labels above blocks such as addresses: below both are words, then a digit. */
export function areBlocks(lines: readonly Cell[][], { row, column }: At): boolean {
  return [column, column + 1].every((each) => {
    const cell = lines[row]?.[each];
    const [first, ...further] = cellsBelow(lines, { row, column: each });
    const rest = first?.text.includes("\n") === true ? [first] : further;
    return cell !== undefined && !hasDigit(cell) && rest.some(hasDigit);
  });
}

export function hasDigit({ text }: Pick<Cell, "text">): boolean {
  return /\d/.test(text);
}

const columnsOfItems = 3;
const itemsAtMost = 200;

/**
 * True for a row of a table of items: all its columns are filled, and so are those of the headings
 * and of another row. A cell in it is a value of its column, not of the label in the first one.
 */
export function isOfItems(lines: readonly Cell[][], row: number): boolean {
  const count = lines[row]?.length ?? 0;
  if (count < columnsOfItems) return false;
  let first = row;
  while (row - first < itemsAtMost && lines[first - 1]?.length === count) first -= 1;
  if (!isHeadingRow(lines, first)) return false;
  return row - first > 1 || [first + 1, first + 2].every((at) => lines[at]?.length === count);
}

const currency = /^(?:[A-Z]{3}|US\$|[A-Za-z]{2}\.|\p{Sc})$/u;
const amount = /^[-\u2212(]?\d[\d.,'\u2019\s]*[.,][\d\u2013\u2014-]{1,2}\)?-?$/u;

/** The cell, with the next one if one of both is a currency and the other its amount. */
export function withCurrency(cell: Cell, next: Cell | undefined): Cell {
  if (next === undefined || next.start <= cell.start) return cell;
  const isPair =
    (currency.test(cell.text) && amount.test(next.text)) ||
    (amount.test(cell.text) && currency.test(next.text));
  if (!isPair) return cell;
  return { ...cell, text: `${cell.text.padEnd(next.start - cell.start)}${next.text}` };
}
