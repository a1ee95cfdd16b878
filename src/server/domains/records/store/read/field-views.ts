import { byDialect, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { TypeSource } from "./list-plan.ts";
import { slotColumn, type Slot } from "../../../../fields/slots.ts";
import { fieldAt, type ValueKind } from "../../../../fields/path-fields.ts";
import { missingMark, nodeAt } from "../../where/compile-where.ts";

/** A field's value as each kind of value; null where it is of another kind. */
export interface FieldViews {
  readonly json: Statement;
  /** Equal for equal values; the same as `json` for scalars. */
  readonly key: Statement;
  readonly decimal: Statement;
  readonly number: Statement;
  readonly text: Statement;
  readonly flag: Statement;
  /** The index column of the value, and its JSON where the column is not {@link missingMark}. */
  readonly indexed: { readonly slot: Slot; readonly json: Statement } | undefined;
}

const nothing = {
  number: raw("cast(null as double precision)"),
  text: raw("cast(null as text)"),
  flag: raw("cast(null as integer)"),
};

/** The views of a field by its dotted name, from its index column where it has one. */
export function viewsOf(type: TypeSource, name: string): FieldViews {
  const field = fieldAt(type, name.split("."));
  if (field.kind === "column") {
    const column: Statement = raw(`resources.${field.column}`);
    const json = jsonOf(column);
    return field.valueKind === "number"
      ? { ...nothing, json, key: json, decimal: column, number: column, indexed: undefined }
      : { ...nothing, json, key: json, decimal: nothing.number, text: column, indexed: undefined };
  }
  const node = nodeAt(field.path);
  const json = node.asJson();
  const fromData: FieldViews = {
    json,
    key: field.kind === "open" ? node.asKey() : json,
    decimal: node.asDecimal(),
    number: node.asNumber(),
    text: node.asText(),
    flag: node.asFlag(),
    indexed: undefined,
  };
  if (field.kind === "open") return fromData;
  const slot = field.slots.find(({ kind }) => kind !== "unique");
  return slot === undefined ? fromData : slotViews(slot, field.valueKind, fromData);
}

function slotViews(slot: Slot, kind: ValueKind, fromData: FieldViews): FieldViews {
  const column = raw(`resources.${slotColumn(slot)}`);
  const own = ownViews(column, kind);
  const either = (view: keyof typeof own): Statement =>
    statement`(case when ${column} = ${missingMark(slot)} then ${fromData[view]}
      else ${own[view]} end)`;
  const json = either("json");
  return {
    json,
    key: json,
    decimal: either("decimal"),
    number: either("number"),
    text: either("text"),
    flag: either("flag"),
    indexed: { slot, json: own.json },
  };
}

function ownViews(column: Statement, kind: ValueKind): Omit<FieldViews, "indexed" | "key"> {
  if (kind === "number") {
    return {
      ...nothing,
      json: byDialect({
        // `json_quote` writes 15 digits; this writes up to 17, in the shortest form.
        sqlite: statement`(case when ${column} = cast(${column} as integer)
          then cast(cast(${column} as integer) as text) else printf('%!.17g', ${column}) end)`,
        postgresql: jsonOf(column),
      }),
      // Through text: a cast of a double keeps 15 digits.
      decimal: byDialect({
        sqlite: column,
        postgresql: statement`cast(cast(${column} as text) as numeric)`,
      }),
      number: column,
    };
  }
  const text = statement`substr(${column}, 2)`;
  const decimal = nothing.number;
  return kind === "text"
    ? { ...nothing, json: jsonOf(text), decimal, text }
    : {
        ...nothing,
        json: byDialect({ sqlite: text, postgresql: statement`cast(${text} as jsonb)` }),
        decimal,
        flag: statement`(case when ${column} = '=true' then 1 else 0 end)`,
      };
}

function jsonOf(expression: Statement): Statement {
  return byDialect({
    sqlite: statement`json_quote(${expression})`,
    postgresql: statement`to_jsonb(${expression})`,
  });
}
