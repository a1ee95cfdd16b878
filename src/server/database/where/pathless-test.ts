import type { Condition, FieldTest } from "./condition.ts";

/**
 * A test of a field that is known one level up; `not` holds when not all of its tests do, `all` when
 * they do and there is one.
 */
export type PathlessTest =
  | FieldTest
  | { readonly kind: "not" | "all"; readonly tests: readonly PathlessTest[] };

/** The test as a condition of the field at the path. */
export function withPath(test: PathlessTest, path: readonly string[]): Condition {
  if (!("tests" in test)) return { kind: "field", path, test };
  const conditions = test.tests.map((inner) => withPath(inner, path));
  if (test.kind === "all") {
    return all(conditions) ?? { kind: "or", conditions: [] };
  }
  return { kind: "not", condition: all(conditions) ?? { kind: "and", conditions: [] } };
}

/** One condition for all of them; undefined where there is none. */
export function all(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length <= 1 ? conditions[0] : { kind: "and", conditions };
}
