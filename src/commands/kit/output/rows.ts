import { shown, type Shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { nearest } from "#cli/input/nearest.ts";
import type { Output } from "#cli/output/output.ts";
import type { Column } from "#cli/output/table.ts";
import type { CatalogError } from "#contract/errors.ts";
import { csvLines } from "#lib/text/csv.ts";
import { isJsonObject } from "#lib/json/value.ts";
/** `--columns` of every command that lists rows. */
export const columnsOption = textOption("names", "Columns to show, separated by commas");

/** One value of a row, with its name in `--columns`, a CSV header and NDJSON. */
export interface Field<Row> {
  readonly name: string;
  value(row: Row): unknown;
}

export function fieldsNamed<Row>(...names: readonly (keyof Row & string)[]): Field<Row>[] {
  return names.map((name) => ({ name, value: (row) => row[name] }));
}

/** The names in an option, separated by commas. Throws E305, wrong usage, for an empty one. */
export function nameList(flag: string, text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw usageError(`${flag} has an empty name`);
  return names;
}

/** The names in `--columns`; undefined without it. Throws E305, wrong usage, for an empty one. */
export function columnNames(option: string | undefined): readonly string[] | undefined {
  return option === undefined ? undefined : nameList("--columns", option);
}

/** E305, wrong usage, for an unknown column, with the nearest known one. */
export function unknownColumn(name: string, known: readonly string[]): CatalogError {
  const near = nearest(name, known);
  return usageError(
    `--columns: there is no column "${name}"`,
    near === undefined ? `The columns are ${known.join(", ")}` : `Did you mean \`${near}\`?`,
  );
}

/** The fields in `--columns`, for rows that always have the same fields. */
export function chosenFields<Row>(
  option: string | undefined,
  known: readonly Field<Row>[],
): readonly Field<Row>[] | undefined {
  return columnNames(option)?.map((name) => {
    const field = known.find((candidate) => candidate.name === name);
    if (field !== undefined) return field;
    const names = known.map((candidate) => candidate.name);
    throw unknownColumn(name, names);
  });
}

/** A value as text: a string unchanged, an empty text for null and undefined, otherwise JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The text of a scalar; JSON for any other value. */
export function scalarText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The members of an answer that its own lines do not show, as the deployment sent them. */
export function otherFields(answer: object, shown: Iterable<string>): [string, string][] {
  const read = new Map<string, unknown>(Object.entries(answer));
  const sent: unknown =
    "toJSON" in answer && typeof answer.toJSON === "function" ? answer.toJSON() : answer;
  const names = new Set(shown);
  const values = new Set([...names].map((name) => valueText(read.get(name))));
  return Object.entries(isJsonObject(sent) ? sent : {}).flatMap(([name, value]) => {
    const text = valueText(value);
    const isShown = (names.has(name) && read.get(name) !== undefined) || values.has(text);
    return isShown || text === "" ? [] : [[name, text]];
  });
}

function picked<Row>(row: Row, fields: readonly Field<Row>[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value(row) ?? null]));
}

/**
 * Streams rows as CSV (RFC 4180: CRLF, UTF-8, a header) or NDJSON. In CSV a text that a
 * spreadsheet would read as a formula gets a leading `'`. NDJSON without fields has whole rows.
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

  /** Writes whole lines. Resolves to the number of characters when the system has them. */
  async write(rows: readonly Row[]): Promise<number> {
    if (!this.#isCsv) {
      const fields = this.#fields;
      const values = fields === undefined ? rows : rows.map((row) => picked(row, fields));
      return this.#output.rows(values);
    }
    const text = await this.#csv(rows);
    if (text !== "") await this.#output.lines(text);
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
    return await csvLines(cells);
  }
}

/** A complete list, and its form in each format. */
export interface RowList<Row> {
  readonly rows: readonly Row[];
  /** The fields in `--columns`; undefined without it. */
  readonly fields: readonly Field<Row>[] | undefined;
  /** The columns of CSV without `--columns`. */
  readonly csvFields: readonly Field<Row>[];
  /** The message for an empty list, e.g. `No records match`. */
  readonly none: string;
  /** The JSON answer with these rows. */
  answer(rows: readonly unknown[]): unknown;
  /** The columns of text without `--columns`, or other lines. */
  readonly columns: readonly Column<Row>[] | (() => readonly Shown[]);
}

/** Prints a list in the requested format; reports an empty list on stderr. */
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
  if (rows.length === 0 && !output.isJson) await output.note(shown`${list.none}`);
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

/** The first column stays visible in a narrow terminal. */
function columnOf<Row>({ name, value }: Field<Row>, index: number): Column<Row> {
  return {
    heading: name,
    value: (row) => valueText(value(row)),
    ...(name === "id" ? { whole: true } : {}),
    ...(index === 0 ? {} : { optional: true }),
  };
}
