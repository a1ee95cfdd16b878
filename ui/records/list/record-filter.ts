import type { ObjectType } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { filterExample } from "../../kit/filter/filter-language.ts";
import type { FieldFilter } from "../../kit/filter/use-filter.ts";

/** The filter of a type's records, in the list and in the bars. */
export function recordFilter(
  type: ObjectType,
  noMatch = "No record matches this filter.",
): FieldFilter {
  const properties = dataFields(type);
  return { key: type.slug, properties, placeholder: filterExample, noMatch };
}
