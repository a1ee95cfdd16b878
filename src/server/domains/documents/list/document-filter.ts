import { invalid } from "../../../http/faults.ts";
import { whereOf } from "../../../http/lists/parameters.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { parseFilter } from "../../../database/where/parse-filter.ts";
import type { WhereRules } from "../../../database/where/filter-rules.ts";
import { documentFields, fieldKind } from "../store/list-documents.ts";

const rules: WhereRules = {
  operators:
    "$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options $contains $startsWith $not".split(
      " ",
    ),
  groups: ["$and", "$or", "$nor"],
  limits: { depth: 32, filterDepth: 8, filters: 200, fields: 100, listItems: 500, faults: 500 },
  field(name) {
    const field = documentFields.find((known) => known === name);
    if (field === undefined) {
      return `is not a field of a document: use ${documentFields.join(", ")}`;
    }
    return { path: [field], kind: fieldKind(field), isNullable: true, branches: 1 };
  },
};

/** The condition of a `where` parameter; refuses 422 with a pointer to each fault. */
export function parseDocumentWhere(text: string): Condition | undefined {
  const parsed = parseFilter(whereOf(text), ["query", "where"], rules);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
}
