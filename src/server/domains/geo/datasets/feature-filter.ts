import { raw, statement, type Statement } from "../../../database/statement.ts";
import { compileCondition } from "../../../database/where/compile-columns.ts";
import type { FieldTest } from "../../../database/where/condition.ts";
import { JsonNode } from "../../../database/where/json-node.ts";
import { isUsableName, parseFilter } from "../../../database/where/parse-filter.ts";
import type { WhereRules } from "../../../database/where/filter-rules.ts";
import { testColumn } from "../../../database/where/compile-columns.ts";
import { testNode } from "../../../database/where/test-node.ts";
import { invalid } from "../../../kit/faults.ts";

const maximumNames = 8;

const rules: WhereRules = {
  operators: [
    ..."$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options".split(" "),
    ..."$contains $startsWith $all $size $type $mod $not".split(" "),
  ],
  groups: ["$and", "$or", "$nor"],
  limits: { depth: 32, parts: 200, listItems: 500, faults: 20 },
  field(name) {
    const path = name.split(".");
    const isPath =
      path.length <= maximumNames &&
      path.every((part) => part !== "" && part.length <= 128 && isUsableName(part));
    if (!isPath) return "is not a dotted path of names";
    return { path, branches: 1 };
  },
};

/**
 * A filter of the properties of features as SQL; `id` is that of the feature. Refuses 422 with a
 * pointer to each fault; `base` begins every pointer.
 */
export function featureFilter(where: unknown, base: readonly string[]): Statement<boolean> {
  const parsed = parseFilter(where, base, rules);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  const condition = parsed.condition ?? { kind: "and" as const, conditions: [] };
  let aliases = 0;
  return compileCondition(condition, (path, test) => {
    if (path.length === 1 && path[0] === "id") {
      return testColumn({ kind: "text", expression: raw("geo_features.id") }, test);
    }
    aliases += 1;
    return propertyTest(path, test, `item${aliases}`);
  });
}

/** The test of a property, and of the items of one that is a list. */
function propertyTest(path: readonly string[], test: FieldTest, alias: string): Statement<boolean> {
  // The rules have no operator that makes this test.
  if (test.kind === "element") throw new TypeError("Cannot test the items of a feature's property");
  const properties = JsonNode.column("geo_features.properties");
  const node = path.reduce((parent, name) => parent.member(name), properties);
  const itself = testNode(node, test);
  if (test.kind === "exists" || test.kind === "size") return itself;
  const items = node.someItem(alias, (item) => testNode(item, test));
  return statement<boolean>`(${itself} or ${items})`;
}
