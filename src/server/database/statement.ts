export type Dialect = "sqlite" | "postgresql";

/** A value to bind. A boolean is bound as 0 or 1 on both engines: flags are integers. */
export type Parameter = string | number | bigint | boolean | null | Uint8Array;

/** A text with the placeholders of one engine, and the values in their order. */
export interface RenderedStatement {
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
}
export type BoundParameter = Exclude<Parameter, boolean>;

type Part = Statement | Parameter;

/** Texts of templates without nested statements, rendered once. */
const plainTexts: Record<Dialect, WeakMap<readonly string[], string>> = {
  sqlite: new WeakMap(),
  postgresql: new WeakMap(),
};

/**
 * A piece of SQL with its values. {@link statement} and its companions make it; it can be nested,
 * and is the same object for both engines until it runs. `Value` is the type of an expression's
 * result.
 */
export class Statement<Value = unknown> {
  declare readonly result?: Value;

  constructor(
    readonly strings: readonly string[],
    readonly values: readonly Part[],
    /** Set when the engines need different words; `strings` and `values` are empty then. */
    readonly variants?: Readonly<Record<Dialect, Statement>>,
    /** The text with a `?` for each value, where it is known before it is rendered. */
    readonly knownText?: string,
  ) {}
}

/**
 * SQL as a tagged template: each `${value}` becomes a bound parameter, each nested statement
 * becomes part of the text.
 *
 *     statement`select id from workspaces where id = ${id} and ${isOpen}`
 */
export function statement<Value = unknown>(
  strings: TemplateStringsArray,
  ...values: readonly Part[]
): Statement<Value> {
  return new Statement<Value>(strings, values);
}

/** Trusted SQL text. Never for input. */
export function raw<Value = unknown>(text: string): Statement<Value> {
  return new Statement<Value>([text], []);
}

/** A quoted name: `identifier("jobs", "id")` is `"jobs"."id"`. Safe for any characters but NUL. */
export function identifier<Value = unknown>(...names: readonly string[]): Statement<Value> {
  const quoted = names.map((name) => {
    if (name === "" || name.includes("\0")) {
      throw new TypeError(`Cannot quote ${JSON.stringify(name)} as an SQL name: expected text`);
    }
    return `"${name.replaceAll('"', '""')}"`;
  });
  return raw(quoted.join("."));
}

/** The SQL text of a text constant, safe for any characters but NUL; for texts that repeat. */
export function literal(text: string): string {
  if (text.includes("\0")) {
    throw new TypeError(`Cannot quote ${JSON.stringify(text)} as an SQL text: expected no NUL`);
  }
  return `'${text.replaceAll("'", "''")}'`;
}

/** The parts in their order: `join(ids)` is `$1, $2, $3`; the separator is trusted SQL. */
export function join(parts: readonly Part[], separator = ", "): Statement {
  if (parts.length === 0) return nothing;
  const between = Array.from({ length: parts.length - 1 }, () => separator);
  return new Statement(["", ...between, ""], parts);
}

/** A row or a part of one; a column that is undefined is left out. Column names are trusted. */
type Columns<Row> = { readonly [Column in keyof Row]?: Part | undefined };

/** Texts of lists of rows, by their numbers of columns and rows. */
const rowTexts = new Map<string, Pick<Statement, "strings"> & { readonly knownText: string }>();
const rowTextsAtMost = 64;

/**
 * Rows of plain values, each of as many: `values (…), (…)`, whose columns are `column1`, `column2`
 * and so on. The text of many rows is made once for each number of them.
 */
export function valueRows(rows: readonly (readonly Parameter[])[]): Statement {
  const columns = rows[0]?.length ?? 0;
  const key = `${columns} ${rows.length}`;
  let texts = rowTexts.get(key);
  if (texts === undefined) {
    const row = Array.from({ length: columns - 1 }, () => ", ");
    const between = Array.from({ length: rows.length - 1 }, () => ["), (", ...row]);
    const strings = ["values (", ...row, ...between.flat(), ")"];
    texts = { strings, knownText: strings.join("?") };
    if (rowTexts.size === rowTextsAtMost) rowTexts.clear();
    rowTexts.set(key, texts);
  }
  return new Statement(texts.strings, rows.flat(), undefined, texts.knownText);
}

/** `insert into table (columns) values (…)`, without a conflict clause. */
export function insertInto<Row extends Columns<Row>>(table: string, row: Row): Statement {
  const [names, values] = columnsOf(row);
  return statement`insert into ${raw(table)} (${join(names)}) values (${join(values)})`;
}

/** The list of an update's `set`: `a = …, b = …`. */
export function assignments<Row extends Columns<Row>>(changes: Row): Statement {
  const [names, values] = columnsOf(changes);
  return join(names.map((name, at) => statement`${name} = ${values[at] ?? null}`));
}

function columnsOf<Row extends Columns<Row>>(row: Row): [names: Statement[], values: Part[]] {
  const names: Statement[] = [];
  const values: Part[] = [];
  for (const name in row) {
    const value = row[name];
    if (value === undefined) continue;
    names.push(raw(name));
    values.push(value);
  }
  return [names, values];
}

/** Renders to no text: for an optional clause. */
export const nothing: Statement = raw("");

/** The variant of one engine, chosen when it is rendered. */
export function byDialect<Value = unknown>(
  variants: Readonly<Record<Dialect, Statement>>,
): Statement<Value> {
  return new Statement<Value>([], [], variants);
}

/** The text and values for one engine: `?` on SQLite, `$1`, `$2` … on PostgreSQL. */
export function render(part: Statement, dialect: Dialect): RenderedStatement {
  const chosen = part.variants === undefined ? part : part.variants[dialect];
  // The strings of `raw` and `join` are new each time, so that caching them has no use.
  const isTemplate = chosen.variants === undefined && "raw" in chosen.strings;
  const parameters = isTemplate ? plainValues(chosen.values) : undefined;
  if (parameters !== undefined) {
    let text = plainTexts[dialect].get(chosen.strings);
    if (text === undefined) {
      text = new Rendering(dialect).add(chosen).text;
      plainTexts[dialect].set(chosen.strings, text);
    }
    return { text, parameters };
  }
  return new Rendering(dialect).add(chosen);
}

/** The values to bind; undefined if one is a statement. */
function plainValues(values: readonly Part[]): BoundParameter[] | undefined {
  const plain: BoundParameter[] = [];
  for (const value of values) {
    if (value instanceof Statement) return undefined;
    plain.push(bindable(value));
  }
  return plain;
}

/** The value to bind, or a TypeError: bun:sqlite would bind NULL for undefined and NaN. */
export function bindable(value: unknown): BoundParameter {
  if (typeof value === "string" || value === null || typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Uint8Array) return value;
  const shown = typeof value === "number" ? String(value) : typeof value;
  throw new TypeError(
    `Cannot bind ${shown}: expected text, a finite number, a bigint, a flag, bytes or null`,
  );
}

class Rendering implements RenderedStatement {
  text = "";
  readonly parameters: BoundParameter[] = [];

  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(part: Statement): this {
    if (part.variants !== undefined) return this.add(part.variants[this.#dialect]);
    const { strings, values, knownText } = part;
    if (knownText !== undefined && this.#dialect === "sqlite") {
      this.text += knownText;
      for (const value of values) this.parameters.push(bindable(value));
      return this;
    }
    for (let index = 0; index < strings.length; index += 1) {
      this.text += strings[index];
      if (index >= values.length) continue;
      const value = values[index];
      if (value instanceof Statement) this.add(value);
      else {
        this.parameters.push(bindable(value));
        this.text += this.#dialect === "sqlite" ? "?" : `$${this.parameters.length}`;
      }
    }
    return this;
  }
}
