import { byDialect, nothing, raw, statement, type Statement } from "./statement.ts";

/**
 * Everything that has to be said differently on the two engines stands in this file, so that a
 * store says it once. A column is a trusted name: `jsonText("payload")`, `jsonText("jobs.payload")`.
 */

/**
 * The first condition of a scan of `resources`, always true: SQLite looks at it in every 1,021st row
 * or so, and the scan ends there when nobody waits for it any more. PostgreSQL is told to cancel.
 */
export const stillWanted: Statement = byDialect({
  // A prime: the numbers are times, and have factors of two in common.
  sqlite: raw("(case when resources.record_number % 1021 = 0 then scan_is_wanted() else 1 end)"),
  postgresql: raw("true"),
});

/** Any JSON value for a JSON column. Read it back with {@link jsonText}. */
export function jsonValue<Value = never>(value: unknown): Statement<Value> {
  const text = JSON.stringify(value ?? null);
  return byDialect<Value>({
    sqlite: statement`jsonb(${text})`,
    // Through text: a string bound to jsonb directly would be stored as a JSON string.
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

/** One field as plain text: for text order, prefixes and patterns. No JSON quotes, no jsonb. */
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

/** For `order by`: nulls count as the smallest value, in both directions. */
export function ascending(expression: Statement): Statement {
  return statement`${expression} asc nulls first`;
}
export function descending(expression: Statement): Statement {
  return statement`${expression} desc nulls last`;
}

/**
 * Whether an expression is one of these texts, bound as one value however many they are. The names
 * of an index are looked up one by one, whatever PostgreSQL's statistics say of the table.
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

/** Last words of the inner select of a queue: rows that another transaction holds are passed by. */
export const skipLocked: Statement = byDialect({
  sqlite: nothing,
  postgresql: raw("for update skip locked"),
});

/** Keeps rows from being changed by others until the unit ends; SQLite has one writer anyway. */
export const forUpdate: Statement = byDialect({ sqlite: nothing, postgresql: raw("for update") });

/** A term as PostgreSQL reads it in the text of a `tsvector` or `tsquery`. */
export function lexeme(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function columnName(column: string): string {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(column)) {
    throw new TypeError(`Cannot use ${JSON.stringify(column)} as a column: wanted "name" or "t.n"`);
  }
  return column;
}

/** Trusted text as SQL: for names inside paths, which can't be bound. */
export function textLiteral(text: string): string {
  if (text.includes("\0")) throw new TypeError("Cannot write a NUL character in SQL text");
  return `'${text.replaceAll("'", "''")}'`;
}

/** `$."a"."b"`: quoted, so that a dot or a bracket in a name stays a part of the name. */
function sqlitePath(path: readonly string[]): string {
  if (path.length === 0) throw new TypeError("Cannot take a field without a path");
  const steps = path.map((step) => {
    if (step.includes('"')) throw new TypeError('Cannot use a field name that holds the sign "');
    return `."${step}"`;
  });
  return textLiteral(`$${steps.join("")}`);
}

function postgresqlField(name: string, path: readonly string[]): string {
  return [name, ...path.map(textLiteral)].join(" -> ");
}
