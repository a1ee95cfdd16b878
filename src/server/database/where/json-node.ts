import { textLiteral, type JsonKind } from "../dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../statement.ts";
import type { Comparison } from "./condition.ts";

/**
 * A value inside a JSON column as SQL for both engines: a path below the column, or below an item
 * of a list's subquery. Names are quoted and values are bound.
 */
export class JsonNode {
  /**
   * `source`, `path`: SQLite's JSON where the path starts. `jsonb`: PostgreSQL's value. `alias`: on
   * SQLite, of an item itself, whose value and type are columns of `json_each`.
   */
  private constructor(
    private readonly source: string,
    private readonly path: string,
    private readonly jsonb: string,
    private readonly alias?: string,
  ) {}

  /** A JSON column, by its trusted name. */
  static column(name: string): JsonNode {
    return new JsonNode(name, "$", name);
  }

  /** The item of the subquery made by {@link someItem} or {@link leastOfItems}. */
  static item(alias: string): JsonNode {
    // A text item is not JSON, and asking for its members would be an error.
    const source = `(case when ${alias}.type in ('object', 'array') then ${alias}.value end)`;
    return new JsonNode(source, "$", `${alias}.value`, alias);
  }

  member(name: string): JsonNode {
    if (/["\\\p{Cc}]/u.test(name)) throw new TypeError("Cannot write this name in a JSON path");
    const jsonb = `(${this.jsonb} -> ${textLiteral(name)})`;
    return new JsonNode(this.source, `${this.path}."${name}"`, jsonb);
  }

  at(index: number): JsonNode {
    const jsonb = `(${this.jsonb} -> ${index})`;
    return new JsonNode(this.source, `${this.path}[${index}]`, jsonb);
  }

  /** Never null: false for a missing value. */
  is(kind: JsonKind): Statement<boolean> {
    return byDialect({
      sqlite: raw(`((${this.#sqliteType()} in (${kinds[kind]})) is true)`),
      postgresql: raw(`(coalesce(jsonb_typeof(${this.jsonb}), '') = '${kind}')`),
    });
  }

  isMissing(): Statement<boolean> {
    return byDialect({
      sqlite: raw(`(${this.#sqliteType()} is null)`),
      postgresql: raw(`(${this.jsonb} is null)`),
    });
  }

  equalsFlag(value: boolean): Statement<boolean> {
    return byDialect({
      sqlite: raw(`(${this.#sqliteType()} = '${value}')`),
      postgresql: raw(`(${this.jsonb} = '${value}'::jsonb)`),
    });
  }

  equalsNumber(value: number): Statement<boolean> {
    return byDialect({
      // Only true and false are returned as the numbers 1 and 0.
      sqlite:
        value === 0 || value === 1
          ? this.#sqliteOf("number", statement`${this.#sqliteValue()} = ${value}`)
          : statement`(${this.#sqliteValue()} = ${value})`,
      postgresql: statement`(${raw(this.jsonb)} = ${JSON.stringify(value)}::text::jsonb)`,
    });
  }

  equalsText(value: string): Statement<boolean> {
    // SQLite returns an object as its JSON text, which equals a text of the same characters.
    const isSame = statement`(${this.#sqliteValue()} = ${value})`;
    return byDialect({
      sqlite: /^[[{]/.test(value) ? this.#sqliteOf("string", isSame) : isSame,
      postgresql: statement`(${raw(this.jsonb)} = ${JSON.stringify(value)}::text::jsonb)`,
    });
  }

  isAmong(kind: "string" | "number", values: readonly (string | number)[]): Statement<boolean> {
    const list = JSON.stringify(values);
    return byDialect({
      sqlite: this.#sqliteOf(
        kind,
        statement`${this.#sqliteValue()} in (select value from json_each(${list}))`,
      ),
      // `is true` stops PostgreSQL from joining the list, which it would read for every row.
      postgresql: statement`((${raw(this.jsonb)} in (
        select value from jsonb_array_elements(${list}::text::jsonb))) is true)`,
    });
  }

  compareNumber(operator: Comparison, value: number): Statement<boolean> {
    const words = raw(` ${operator} `);
    return byDialect({
      sqlite: this.#sqliteOf("number", statement`${this.#sqliteValue()}${words}${value}`),
      // The type is tested first, so that no text is cast; jsonb compares numbers exactly.
      postgresql: statement`(${this.is("number")}
        and ${raw(this.jsonb)}${words}${JSON.stringify(value)}::text::jsonb)`,
    });
  }

  compareText(operator: Comparison, value: string): Statement<boolean> {
    const words = raw(` ${operator} `);
    return byDialect({
      sqlite: this.#sqliteOf("string", statement`${this.#sqliteValue()}${words}${value}`),
      postgresql: statement`(${this.is("string")}
        and (${raw(this.#text())}) collate "C"${words}${value}::text)`,
    });
  }

  textTest(test: (text: Statement) => Statement): Statement<boolean> {
    return byDialect<boolean>({
      sqlite: this.#sqliteOf("string", test(this.#sqliteValue())),
      postgresql: statement`(${this.is("string")} and ${test(raw(this.#text()))})`,
    });
  }

  /** The value where it is text, else null; sorts by code points. */
  asText(): Statement {
    return byDialect({
      sqlite: statement`(case when ${this.is("string")} then ${this.#sqliteValue()} end)`,
      postgresql: statement`((case when ${this.is("string")}
        then ${raw(this.#text())} end) collate "C")`,
    });
  }

  /** The value where it is a number, else null. */
  asNumber(): Statement {
    return byDialect({
      sqlite: statement`(case when ${this.is("number")} then ${this.#sqliteValue()} end)`,
      postgresql: statement`(case when ${this.is("number")}
        then (${raw(this.#text())})::double precision end)`,
    });
  }

  /** The number as a decimal, so that its sums are exact on PostgreSQL. */
  asDecimal(): Statement {
    return byDialect({
      sqlite: statement`cast(${this.asNumber()} as real)`,
      postgresql: statement`(case when ${this.is("number")}
        then (${raw(this.#text())})::numeric end)`,
    });
  }

  /** The value to group by, as JSON text or jsonb; null where it is null or missing. */
  asJson(): Statement {
    return byDialect({
      // JSON.stringify wrote the column, so equal numbers have equal text.
      sqlite: raw(`nullif(${this.source} -> '${this.#quotedPath()}', 'null')`),
      postgresql: raw(`nullif(${this.jsonb}, 'null'::jsonb)`),
    });
  }

  /**
   * A key that is the same for equal values, to group by. Objects are equal in any order of names,
   * which SQLite's JSON text keeps.
   */
  asKey(): Statement {
    const path = this.#quotedPath();
    return byDialect({
      // `json_array` writes 15 digits of a fraction, which makes neighbours equal. The value is
      // extracted first, since `json_tree` names the value at a path differently in different
      // records.
      sqlite: raw(
        `(case when ${this.#sqliteType()} in ('array', 'object') then (
          select json_group_array(json_array(path, key, type,
            case type when 'real' then printf('%!.17g', atom) else atom end) order by path, key)
          from json_tree(${this.source} -> '${path}'))
          else nullif(${this.source} -> '${path}', 'null') end)`,
      ),
      postgresql: this.asJson(),
    });
  }

  /** The JSON text of lists and objects, to sort them; else null. */
  asOrderedText(): Statement {
    return byDialect({
      sqlite: raw(
        `(case when ${this.#sqliteType()} in ('array', 'object')
          then ${this.source} -> '${this.#quotedPath()}' end)`,
      ),
      postgresql: raw(`((case when jsonb_typeof(${this.jsonb}) in ('array', 'object')
        then replace(replace((${this.jsonb})::text, ', ', ','), ': ', ':') end) collate "C")`),
    });
  }

  /** 1 and 0 for true and false; else null. */
  asFlag(): Statement {
    return statement`(case when ${this.equalsFlag(true)} then 1
      when ${this.equalsFlag(false)} then 0 end)`;
  }

  hasLength(length: number): Statement<boolean> {
    return byDialect({
      sqlite: raw(`(json_array_length(${this.source}, '${this.#quotedPath()}') = ${length})`),
      postgresql: raw(`(case jsonb_typeof(${this.jsonb}) when 'array'
        then jsonb_array_length(${this.jsonb}) = ${length} else false end)`),
    });
  }

  hasMemberCount(count: number): Statement<boolean> {
    return byDialect({
      sqlite: raw(
        `((select count(*) from json_each(${this.source}, '${this.#quotedPath()}')) = ${count})`,
      ),
      postgresql: raw(`(case jsonb_typeof(${this.jsonb}) when 'object'
        then (select count(*) from jsonb_object_keys(${this.jsonb})) = ${count} else false end)`),
    });
  }

  /** PostgreSQL compares whole values; on SQLite all `parts` must hold. */
  equalsWhole(value: unknown, parts: () => readonly Statement[]): Statement<boolean> {
    return byDialect({
      sqlite: statement`(${join(parts(), " and ")})`,
      postgresql: statement`(${raw(this.jsonb)} = ${JSON.stringify(value)}::text::jsonb)`,
    });
  }

  /** True if the value is a list with an item that passes; `alias` must be new. */
  someItem(alias: string, test: (item: JsonNode) => Statement): Statement<boolean> {
    const condition = test(JsonNode.item(alias));
    return byDialect({
      sqlite: statement`(${this.is("array")} and exists (select 1 from ${raw(
        `json_each(${this.source}, '${this.#quotedPath()}') as ${alias}`,
      )} where ${condition}))`,
      postgresql: statement`(exists (select 1 from ${raw(
        `jsonb_array_elements(case when jsonb_typeof(${this.jsonb}) = 'array'
          then ${this.jsonb} end) as ${alias}(value)`,
      )} where ${condition}))`,
    });
  }

  /** The least of the items' computed values; null without a list. */
  leastOfItems(alias: string, value: (item: JsonNode) => Statement): Statement {
    const each = value(JsonNode.item(alias));
    return byDialect({
      sqlite: statement`(case when ${this.is("array")} then (select min(${each}) from ${raw(
        `json_each(${this.source}, '${this.#quotedPath()}') as ${alias}`,
      )}) end)`,
      postgresql: statement`(select min(${each}) from ${raw(
        `jsonb_array_elements(case when jsonb_typeof(${this.jsonb}) = 'array'
          then ${this.jsonb} end) as ${alias}(value)`,
      )})`,
    });
  }

  /** Tests the kind only where the test holds, since each of the two reads the JSON. */
  #sqliteOf(kind: JsonKind, test: Statement): Statement<boolean> {
    return statement<boolean>`(case when ${test} then ${this.is(kind)} else 0 end)`;
  }

  #sqliteType(): string {
    if (this.alias !== undefined) return `${this.alias}.type`;
    return `json_type(${this.source}, '${this.#quotedPath()}')`;
  }

  #sqliteValue(): Statement {
    return raw(
      this.alias === undefined
        ? `json_extract(${this.source}, '${this.#quotedPath()}')`
        : `${this.alias}.value`,
    );
  }

  #quotedPath(): string {
    return this.path.replaceAll("'", "''");
  }

  #text(): string {
    return `${this.jsonb} #>> '{}'`;
  }
}

const kinds: Readonly<Record<JsonKind, string>> = {
  string: "'text'",
  number: "'integer', 'real'",
  boolean: "'true', 'false'",
  null: "'null'",
  array: "'array'",
  object: "'object'",
};
