import type { Statement } from "../../../database/statement.ts";
import { compileCondition, testColumn } from "../../../database/where/compile-columns.ts";
import type { FieldTest } from "../../../database/where/condition.ts";
import { JsonNode } from "../../../database/where/json-node.ts";
import { parseFilter } from "../../../database/where/parse-filter.ts";
import { testNode } from "../../../database/where/test-node.ts";
import { invalid } from "../../../kit/faults.ts";
import { whereOf } from "../../../kit/lists/parameters.ts";
import { documentRules } from "../list/document-list.ts";
import { listedFields } from "../store/list-documents.ts";

/** An extracted field by its name. */
const fieldName = /^fields\.([\w-]{1,100})$/;

/** A `where` of a search as SQL on documents; refuses 422 with a pointer to each fault. */
export function documentCondition(text: string | undefined): Statement<boolean> | undefined {
  if (text === undefined) return undefined;
  const parsed = parseFilter(whereOf(text), ["query", "where"], {
    ...documentRules,
    field(name) {
      const [, field] = fieldName.exec(name) ?? [];
      if (field === undefined) return documentRules.field(name, false);
      return { path: ["fields", field, "value"], branches: 1 };
    },
  });
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  if (parsed.condition === undefined) return undefined;
  return compileCondition(parsed.condition, testDocument);
}

/** The value of an extracted field is text, a number or a flag, each with its own order. */
function testDocument(path: readonly string[], test: FieldTest): Statement<boolean> {
  const [column = "", ...inside] = path;
  if (inside.length === 0) return testColumn(listedColumn(column), test);
  if (test.kind === "element") throw new TypeError("A field of a document is not a list");
  const node = inside.reduce(
    (parent, name) => parent.member(name),
    JsonNode.column(`documents.${column}`),
  );
  return testNode(node, test);
}

function listedColumn(name: string) {
  const known = Object.entries(listedFields).find(([field]) => field === name);
  if (known === undefined) throw new TypeError(`There is no column for the field "${name}"`);
  return known[1];
}
