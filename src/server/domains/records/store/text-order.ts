import {
  byDialect,
  raw,
  statement,
  type Dialect,
  type Statement,
} from "../../../database/statement.ts";
import { slotColumn, type Slot } from "../../../fields/slots.ts";
import { foldedTexts, orderedCharacters } from "../../../text/order/folded-text.ts";

/*
 * A record's column `folds` maps texts of its data to their folded forms, as a pure function of the
 * texts: an older build that writes other texts leaves no wrong form. The database computes the
 * sort keys of the text slots `t1` to `t16` from it: SQLite in the columns `o1` to `o16`,
 * PostgreSQL in its indexes.
 */

/** The content of `folds` for a record's data; null where no text needs a form. */
export function foldsOf(data: string, dialect: Dialect): string | null {
  const folds = foldedTexts(data);
  if (folds.size === 0) return null;
  const nameOf = (text: string): string =>
    // SQLite takes quotes and brackets in a name, and an empty name, for a path.
    dialect === "sqlite" ? `x${Buffer.from(text).toString("hex").toUpperCase()}` : text;
  return JSON.stringify(Object.fromEntries([...folds].map(([text, form]) => [nameOf(text), form])));
}

/** A text's key in the order of people: its folded form, a mark, and the text; null for none. */
export function textOrderKey(text: Statement): Statement {
  const first = statement`substr(${text}, 1, ${raw(String(orderedCharacters))})`;
  return byDialect({
    sqlite: statement`(coalesce(resources.folds ->> ('x' || hex(${first})), lower(${first}))
      || char(1) || ${first})`,
    postgresql: statement`((coalesce(resources.folds ->> (${first}), lower(${first}))
      || chr(1) || ${first}) collate "C")`,
  });
}

/** The sort key of a text slot, never null; PostgreSQL's must be the expression of its index. */
export function slotOrderKey(slot: Pick<Slot, "kind" | "number">): Statement {
  const column = slotColumn(slot);
  const text = `substr(resources.${column}, 2, ${orderedCharacters})`;
  return byDialect({
    sqlite: raw(`resources.o${slot.number}`),
    postgresql: raw(`((case when resources.${column} = '' then ''
      else '=' || (coalesce(resources.folds ->> (${text}), lower(${text})) || chr(1) || ${text}) end)
      collate "C")`),
  });
}
