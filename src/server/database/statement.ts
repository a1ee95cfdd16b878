import { AliasedExpressionWrapper, RawNode, ValueNode } from "kysely";
import type { AliasableExpression, AliasedExpression, Expression, OperationNode } from "kysely";

export type Dialect = "sqlite" | "postgresql";

/** What may be bound. A boolean is bound as 0 or 1 on both engines, since our flags are integers. */
export type Parameter = string | number | bigint | boolean | null | Uint8Array;

/** What the engine is given: the text with its own placeholders, and the values in their order. */
export interface RenderedStatement {
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
}
export type BoundParameter = Exclude<Parameter, boolean>;

type Part = Statement | Parameter;

/** A text whose placeholders depend on nothing but the template: rendered once, kept for good. */
const plainTexts: Record<Dialect, WeakMap<readonly string[], string>> = {
  sqlite: new WeakMap(),
  postgresql: new WeakMap(),
};

/**
 * A piece of SQL with its values. Made by {@link statement} and its companions, nestable, the same
 * object for both engines until it runs. It is also a Kysely expression, so a fragment such as
 * `jsonText("payload")` stands in a Kysely query as it stands in a hand-written one.
 */
export class Statement<Value = unknown> implements AliasableExpression<Value> {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly Part[],
    /** Set when the engines need different words; `strings` and `values` are empty then. */
    readonly variants?: Readonly<Record<Dialect, Statement>>,
  ) {}

  get expressionType(): Value | undefined {
    return undefined;
  }

  /** For Kysely: our query compilers (`kysely.ts`) look the statement up by its node. */
  toOperationNode(): OperationNode {
    const node = RawNode.create([], []);
    nodeStatements.set(node, this);
    return node;
  }

  as<Alias extends string>(alias: Alias | Expression<unknown>): AliasedExpression<Value, Alias> {
    return new AliasedExpressionWrapper<Value, Alias>(this, alias);
  }
}

const nodeStatements = new WeakMap<OperationNode, Statement>();

/** The statement that a Kysely node stands for, if it is one of ours. */
export function statementOfNode(node: OperationNode): Statement | undefined {
  return nodeStatements.get(node);
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

/** Trusted SQL words, taken as they are. Never for anything that came from outside. */
export function raw<Value = unknown>(text: string): Statement<Value> {
  return new Statement<Value>([text], []);
}

/** A quoted name: `identifier("jobs", "id")` is `"jobs"."id"`. Safe for any characters but NUL. */
export function identifier<Value = unknown>(...names: readonly string[]): Statement<Value> {
  const quoted = names.map((name) => {
    if (name === "" || name.includes("\0")) {
      throw new TypeError(`Cannot quote ${JSON.stringify(name)} as an SQL name: wanted text`);
    }
    return `"${name.replaceAll('"', '""')}"`;
  });
  return raw(quoted.join("."));
}

/** The parts one after the other: `join(ids)` is `$1, $2, $3`; the separator is trusted SQL. */
export function join(parts: readonly Part[], separator = ", "): Statement {
  if (parts.length === 0) return nothing;
  const between = Array.from({ length: parts.length - 1 }, () => separator);
  return new Statement(["", ...between, ""], parts);
}

/** Renders to no text at all: the other arm of an optional clause. */
export const nothing: Statement = raw("");

/** The one for SQLite or the one for PostgreSQL, chosen when it is rendered. */
export function byDialect<Value = unknown>(
  variants: Readonly<Record<Dialect, Statement>>,
): Statement<Value> {
  return new Statement<Value>([], [], variants);
}

/** The text and values for one engine: `?` on SQLite, `$1`, `$2` … on PostgreSQL. */
export function render(part: Statement, dialect: Dialect): RenderedStatement {
  const chosen = part.variants === undefined ? part : part.variants[dialect];
  // Only a template's own strings come again; those of `raw` and `join` are made each time.
  const isTemplate = chosen.variants === undefined && "raw" in chosen.strings;
  if (isTemplate && !chosen.values.some(isStatement)) {
    let text = plainTexts[dialect].get(chosen.strings);
    if (text === undefined) {
      text = new Rendering(dialect).add(chosen).text;
      plainTexts[dialect].set(chosen.strings, text);
    }
    return { text, parameters: chosen.values.map(bindable) };
  }
  return new Rendering(dialect).add(chosen);
}

function isStatement(part: Part): part is Statement {
  return part instanceof Statement;
}

/**
 * The value as it may be bound, or a TypeError: bun:sqlite itself would bind NULL for undefined and
 * NaN, and take an object for named parameters.
 */
export function bindable(value: unknown): BoundParameter {
  if (typeof value === "string" || value === null || typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Uint8Array) return value;
  const shown = typeof value === "number" ? String(value) : typeof value;
  throw new TypeError(
    `Cannot bind ${shown}: wanted text, a finite number, a bigint, a flag, bytes or null`,
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
    const { strings, values } = part;
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

/** For the query compilers: walks a statement in order, text and values apart. */
export function walk(
  part: Statement,
  dialect: Dialect,
  visit: { text(text: string): void; value(node: OperationNode): void },
): void {
  if (part.variants !== undefined) return walk(part.variants[dialect], dialect, visit);
  part.strings.forEach((text, index) => {
    visit.text(text);
    if (index >= part.values.length) return;
    const value = part.values[index];
    if (value instanceof Statement) walk(value, dialect, visit);
    else visit.value(ValueNode.create(bindable(value)));
  });
}
