import { jsonFieldText } from "../../../database/dialect.ts";
import { statement, type Statement } from "../../../database/statement.ts";
import { compileColumns, type WhereColumn } from "../../../database/where/compile-columns.ts";
import { parseFilter } from "../../../database/where/parse-filter.ts";
import { invalid } from "../../../http/faults.ts";
import { whereOf } from "../../../http/lists/parameters.ts";
import { documentRules } from "../list/document-list.ts";
import { listedFields } from "../store/list-documents.ts";

/** An extracted field by its name. */
const fieldName = /^fields\.([\w-]{1,100})$/;

/** A `where` of a search as SQL on documents; refuses 422 with a pointer to each fault. */
export function documentCondition(text: string | undefined): Statement<boolean> | undefined {
  if (text === undefined) return undefined;
  const columns: Record<string, WhereColumn> = { ...listedFields };
  const parsed = parseFilter(whereOf(text), ["query", "where"], {
    ...documentRules,
    field(name) {
      const [, field] = fieldName.exec(name) ?? [];
      if (field === undefined) return documentRules.field(name, false);
      const value = jsonFieldText("fields", [field, "value"]);
      // SQLite reads a number as a number.
      columns[name] = { kind: "text", expression: statement`cast(${value} as text)` };
      return { path: [name], kind: "text", isNullable: true, branches: 1 };
    },
  });
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return compileColumns(parsed.condition, columns);
}
