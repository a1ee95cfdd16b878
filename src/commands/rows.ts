import type { Output } from "#cli/output.ts";
import { nearest } from "#cli/nearest.ts";
import type { Column } from "#cli/table.ts";
import { usageError } from "#cli/errors.ts";
import type { CatalogError } from "#contract/errors.ts";
import { csvLines } from "#lib/csv.ts";
import { plainText } from "#lib/terminal-text.ts";
import { nameList } from "./name-list.ts";

/** `--columns` of every command that lists rows. */
export const columnsOption = {
  type: "string",
  placeholder: "names",
  description: "Columns to show, separated by commas",
} as const;

/** One value of a row, by the name that `--columns`, a CSV header and NDJSON have for it. */
export interface Field<Row> {
  readonly name: string;
  value(row: Row): unknown;
}

/** The names in `--columns`; undefined without it. Throws E305, wrong usage, for an empty one. */
export function columnNames(option: string | undefined): readonly string[] | undefined {
  return option === undefined ? undefined : nameList("--columns", option);
}

/**
 * The refusal (E305, wrong usage) of a column that there is not, with the nearest one that there
 * is.
 */
export function unknownColumn(name: string, known: readonly string[]): CatalogError {
  const near = nearest(name, known);
  return usageError(
    `--columns: there is no column "${name}"`,
    near === undefined ? `There are ${known.join(", ")}` : `Did you mean \`${near}\`?`,
  );
}

/** The fields that `--columns` names, of rows that always have the same ones. */
export function chosenFields<Row>(
  option: string | undefined,
  known: readonly Field<Row>[],
): readonly Field<Row>[] | undefined {
  return columnNames(option)?.map((name) => {
    const field = known.find((candidate) => candidate.name === name);
    if (field === undefined) {
      throw unknownColumn(
        name,
        known.map((candidate) => candidate.name),
      );
    }
    return field;
  });
}

/** One value as text: text as it is, everything else as compact JSON, nothing for nothing. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A row as the object that its fields make. */
function picked<Row>(row: Row, fields: readonly Field<Row>[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value(row) ?? null]));
}

/**
 * Writes rows as CSV (RFC 4180: CRLF, UTF-8, a header) or as NDJSON, as they come. In CSV a text
 * that a spreadsheet would take for a formula gets a `'` before it. Without fields, NDJSON has the
 * whole rows.
 */
export class RowWriter<Row> {
  readonly #output: Output;
  readonly #fields: readonly Field<Row>[] | undefined;
  readonly #isCsv: boolean;
  #hasHeader = false;

  constructor(
    output: Output,
    form:
      | { readonly format: "csv"; readonly fields: readonly Field<Row>[] }
      | { readonly format: "ndjson"; readonly fields: readonly Field<Row>[] | undefined },
  ) {
    this.#output = output;
    this.#fields = form.fields;
    this.#isCsv = form.format === "csv";
  }

  /** Resolves to the number of characters once the system has taken them: whole lines only. */
  async write(rows: readonly Row[]): Promise<number> {
    const text = this.#isCsv ? await this.#csv(rows) : this.#ndjson(rows);
    if (text !== "") await this.#output.raw(text);
    return text.length;
  }

  async #csv(rows: readonly Row[]): Promise<string> {
    const fields = this.#fields ?? [];
    const cells = rows.map((row) =>
      fields.map((field) => {
        const value = field.value(row);
        return typeof value === "object" && value !== null ? valueText(value) : value;
      }),
    );
    if (!this.#hasHeader) cells.unshift(fields.map(({ name }) => name));
    this.#hasHeader = true;
    const text = await csvLines(cells);
    return this.#output.stdoutIsTerminal ? plainText(text) : text;
  }

  #ndjson(rows: readonly Row[]): string {
    const fields = this.#fields;
    return rows
      .map((row) => `${this.#output.json(fields === undefined ? row : picked(row, fields), 0)}\n`)
      .join("");
  }
}

/** A list that is there as a whole, and how it looks in each format. */
export interface RowList<Row> {
  readonly rows: readonly Row[];
  /** What `--columns` chose; undefined without it. */
  readonly fields: readonly Field<Row>[] | undefined;
  /** The columns of CSV without `--columns`. */
  readonly csvFields: readonly Field<Row>[];
  /** What is said where there are no rows, e.g. `No records fit`. */
  readonly none: string;
  /** The JSON answer, with what its rows are. */
  answer(rows: readonly unknown[]): unknown;
  /** The columns of text without `--columns`, or lines of another kind. */
  readonly columns: readonly Column<Row>[] | (() => readonly string[]);
}

/** Prints a list in the format that was asked for; on stderr where nothing is in it. */
export async function printRows<Row>(output: Output, list: RowList<Row>): Promise<void> {
  const { rows, fields, csvFields } = list;
  const { format } = output.settings;
  if (format === "csv") {
    await new RowWriter(output, { format, fields: fields ?? csvFields }).write(rows);
  } else if (format === "ndjson") {
    await new RowWriter(output, { format, fields }).write(rows);
  } else {
    await printWhole(output, list);
  }
  if (rows.length === 0 && !output.isJson) await output.note(output.plain(list.none));
}

async function printWhole<Row>(output: Output, list: RowList<Row>): Promise<void> {
  const { rows, fields } = list;
  const shown = fields === undefined ? rows : rows.map((row) => picked(row, fields));
  let dropped: readonly string[] = [];
  await output.data(list.answer(shown), () => {
    if (fields !== undefined) {
      return output.table(rows, fields.map(columnOf), (headings) => {
        dropped = headings;
      });
    }
    return typeof list.columns === "function" ? list.columns() : output.table(rows, list.columns);
  });
  if (dropped.length > 0) {
    await output.note(output.tone("dim", `No room for: ${dropped.join(", ")}`));
  }
}

/** Whoever chose the first column wants to see at least that one. */
function columnOf<Row>({ name, value }: Field<Row>, index: number): Column<Row> {
  return {
    heading: name,
    value: (row) => valueText(value(row)),
    ...(name === "id" ? { whole: true } : {}),
    ...(index === 0 ? {} : { optional: true }),
  };
}
