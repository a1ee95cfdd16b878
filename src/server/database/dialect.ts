import { byDialect, nothing, raw, statement, type Statement } from "./statement.ts";

/*
 * Expressions that differ between the engines. A column is a trusted name: `jsonText("payload")`,
 * `jsonText("jobs.payload")`.
 */

/**
 * The first condition of a scan of `resources`, always true. SQLite evaluates it about every
 * 1,021st row and ends a stopped scan there; PostgreSQL cancels its statement.
 */
export const unlessStopped: Statement = byDialect({
  // A prime: the numbers are times, which share factors of two.
  sqlite: raw("(case when resources.record_number % 1021 = 0 then fail_if_stopped() else 1 end)"),
  postgresql: raw("true"),
});

/** Any JSON value for a JSON column; read it with {@link jsonText}. */
export function jsonValue<Value = never>(value: unknown): Statement<Value> {
  return jsonOf(JSON.stringify(value ?? null));
}

/** JSON text as a value of a JSON column. */
export function jsonOf<Value = never>(text: string): Statement<Value> {
  return byDialect<Value>({
    sqlite: statement`jsonb(${text})`,
    // Through text: PostgreSQL stores a string bound to jsonb as a JSON string.
    postgresql: statement`${text}::text::jsonb`,
  });
}

/** A JSON column as JSON text, for `JSON.parse`. Null stays null. */
export function jsonText<Value extends string | null = string>(column: string): Statement<Value> {
  const name = columnName(column);
  return byDialect<Value>({
    sqlite: raw(`json(${name})`),
    postgresql: raw(`${name}::text`),
  });
}

/** One field as plain text, without JSON quotes: for text order, prefixes and patterns. */
export function jsonFieldText(column: string, path: readonly string[]): Statement<string | null> {
  const name = columnName(column);
  const last = path.at(-1);
  if (last === undefined) throw new TypeError("Cannot take a field without a path");
  return byDialect<string | null>({
    sqlite: raw(`json_extract(${name}, ${sqlitePath(path)})`),
    postgresql: raw(
      `((${postgresqlField(name, path.slice(0, -1))} ->> ${textLiteral(last)}) collate "C")`,
    ),
  });
}

export type JsonKind = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Text in code point order. Columns made with `columnType.text` have it already. */
export function textOrder(expression: Statement): Statement {
  return byDialect({
    sqlite: expression,
    postgresql: statement`(${expression}) collate "C"`,
  });
}

/** The order of `order by`: null is the smallest value in both directions. */
export function ascending(expression: Statement): Statement {
  return statement`${expression} asc nulls first`;
}
export function descending(expression: Statement): Statement {
  return statement`${expression} desc nulls last`;
}

/**
 * True if an expression is one of these texts, which are bound as one value. PostgreSQL looks each
 * of them up in an index, whatever its statistics are.
 */
export function isOneOf(expression: Statement, values: readonly string[]): Statement<boolean> {
  const list = JSON.stringify(values);
  return byDialect<boolean>({
    sqlite: statement`${expression} in (select value from json_each(${list}))`,
    postgresql: statement`${expression} = any (array(
      select jsonb_array_elements_text(${list}::text::jsonb)))`,
  });
}

/** Case-sensitive on both; `%` and `_` mean themselves. (SQLite's LIKE ignores ASCII case.) */
export function textContains(expression: Statement, part: string): Statement<boolean> {
  return byDialect<boolean>({
    sqlite: statement`instr(${expression}, ${part}) > 0`,
    postgresql: statement`strpos(${expression}, ${part}::text) > 0`,
  });
}
export function textStartsWith(expression: Statement, start: string): Statement<boolean> {
  return byDialect<boolean>({
    sqlite: statement`instr(${expression}, ${start}) = 1`,
    postgresql: statement`starts_with(${expression}, ${start}::text)`,
  });
}

/** The end of a queue's inner select: skips rows that another transaction has locked. */
export const skipLocked: Statement = byDialect({
  sqlite: nothing,
  postgresql: raw("for update skip locked"),
});

/** Locks rows until the unit ends; SQLite has only one writer. */
export const forUpdate: Statement = byDialect({ sqlite: nothing, postgresql: raw("for update") });

/**
 * The milliseconds since 1970 by the clock of the database, which all its platforms share; one time
 * for a whole statement. A platform whose clock a test has moved moves it as far.
 */
export function databaseTimeMs(now: Date): Statement<number> {
  return byDialect<number>({
    sqlite: statement`${now.getTime()}`,
    postgresql: statement`(floor(extract(epoch from statement_timestamp()) * 1000)::bigint
      + ${now.getTime() - Date.now()}::bigint)`,
  });
}

/** A term as PostgreSQL reads it in the text of a `tsvector` or `tsquery`. */
export function lexeme(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function columnName(column: string): string {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(column)) {
    throw new TypeError(
      `Cannot use ${JSON.stringify(column)} as a column: expected "name" or "t.n"`,
    );
  }
  return column;
}

/** Trusted text as an SQL literal: for names in paths, which cannot be bound. */
export function textLiteral(text: string): string {
  if (text.includes("\0")) throw new TypeError("Cannot write a NUL character in SQL text");
  return `'${text.replaceAll("'", "''")}'`;
}

/** `$."a"."b"`: quoted, since names may contain dots and brackets. */
function sqlitePath(path: readonly string[]): string {
  if (path.length === 0) throw new TypeError("Cannot take a field without a path");
  const steps = path.map((step) => {
    if (step.includes('"')) throw new TypeError('Cannot use a field name that contains the sign "');
    return `."${step}"`;
  });
  return textLiteral(`$${steps.join("")}`);
}

function postgresqlField(name: string, path: readonly string[]): string {
  return [name, ...path.map(textLiteral)].join(" -> ");
}
