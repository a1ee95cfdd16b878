import { statement, type Statement } from "../../../database/statement.ts";
import type { Condition, Near } from "../../../database/where/condition.ts";
import {
  fieldAt,
  containersOf,
  type FieldSource,
  type Container,
} from "../../object-types/service.ts";
import { distanceTo } from "../../../database/where/geo.ts";
import { JsonNode } from "../../../database/where/json-node.ts";

/** The position that all matching records are near, and the field that holds theirs. */
export interface Nearness {
  readonly path: readonly string[];
  readonly near: Near;
}

/**
 * The first `$near` that every record must pass. One inside `$or`, `$nor` or `$not`, where MongoDB
 * allows none, only filters.
 */
export function nearnessOf(condition: Condition | undefined): Nearness | undefined {
  if (condition === undefined) return undefined;
  if (condition.kind === "field") {
    const { path, test } = condition;
    return test.kind === "near" ? { path, near: test.near } : undefined;
  }
  if (condition.kind !== "and") return undefined;
  for (const part of condition.conditions) {
    const found = nearnessOf(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Metres to the nearest of a field's points, those in lists included. */
export function metresTo(source: FieldSource, { path, near }: Nearness): Statement {
  const field = fieldAt(source, path);
  if (field.kind === "column") return statement`null`;
  let aliases = 0;
  const leastOfItems = (node: JsonNode, value: (item: JsonNode) => Statement): Statement => {
    aliases += 1;
    return node.leastOfItems(`near${aliases}`, value);
  };
  const ofPath = (
    node: JsonNode,
    names: readonly string[],
    containers: readonly Container[],
  ): Statement => {
    const [name, ...rest] = names;
    if (name === undefined) {
      const among = leastOfItems(node, (item) => distanceTo(item, near));
      return statement`coalesce(${distanceTo(node, near)}, ${among})`;
    }
    const [container, ...restContainers] = containers;
    const inObject = ofPath(node.member(name), rest, restContainers);
    if (container === "object") return inObject;
    const inItems = leastOfItems(node, (item) => ofPath(item.member(name), rest, restContainers));
    return container === "list" ? inItems : statement`coalesce(${inObject}, ${inItems})`;
  };
  const [first = "", ...rest] = field.path;
  const node = JsonNode.column("resources.data").member(first);
  return ofPath(node, rest, containersOf(source, field.path));
}
