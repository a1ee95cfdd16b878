import { normalDatetime } from "#contract/object-types/text-checks.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../database/statement.ts";
import { isBeside, isOneOfRecords, isRecord } from "../store/record-numbers.ts";
import {
  noNumber,
  noText,
  slotColumn,
  textKey,
  uniqueKey,
  type Slot,
} from "../../../fields/slots.ts";
import {
  fieldAt,
  holdsGeometries,
  holdsTimes,
  containersOf,
  positionPattern,
  type Field,
  type FieldSource,
  type Container,
} from "../../../fields/path-fields.ts";
import type { Condition, FieldTest } from "../../../database/where/condition.ts";
import { JsonNode } from "../../../database/where/json-node.ts";
import {
  asDouble,
  compileCondition,
  isOneOfNumbers,
  isOneOfTexts,
  testColumn,
} from "../../../database/where/compile-columns.ts";
import { testNode } from "../../../database/where/test-node.ts";
import { isNearTest } from "./place-index.ts";

/** A filter of records as SQL over the columns of `resources`. */
export function compileWhere(condition: Condition, source: FieldSource): Statement<boolean> {
  return new WhereCompiler(source).condition(condition);
}

/** The test of a field by an index column alone; undefined where none decides it. */
export function slotTest(field: Field, test: FieldTest): SlotTest | undefined {
  if (field.kind !== "scalar") return undefined;
  for (const slot of field.slots) {
    if (test.kind === "equal" && test.value === null && slot.kind !== "unique") {
      // The mark for "no value" also stands for a value of another type.
      const condition = statement<boolean>`(${columnOf(slot)} = ${missingMark(slot)}
        and ${testNode(nodeAt(field.path), test)})`;
      return { slot, condition, isEquality: true };
    }
    const tested = singleSlotTest(slot, field, test);
    if (tested !== undefined) return tested;
  }
  return undefined;
}

export interface SlotTest {
  readonly slot: Slot;
  readonly condition: Statement<boolean>;
  /** All matching rows have the same key. */
  readonly isEquality: boolean;
}

/** The test with its times in the stored form, and with the kind of places that it reads. */
export function normalTest(
  source: FieldSource,
  path: readonly string[],
  test: FieldTest,
): FieldTest {
  if (test.kind === "near" || test.kind === "within") {
    return holdsGeometries(source, path) ? { ...test, values: "geometries" } : test;
  }
  if (!holdsTimes(source, path)) return test;
  const normal = (value: unknown): unknown =>
    typeof value === "string" ? (normalDatetime(value) ?? value) : value;
  switch (test.kind) {
    case "equal":
      return { ...test, value: normal(test.value) };
    case "compare":
      return typeof test.value === "string"
        ? { ...test, value: normalDatetime(test.value) ?? test.value }
        : test;
    case "in":
      return { ...test, values: test.values.map(normal) };
    default:
      return test;
  }
}

interface PlacedTest {
  readonly test: FieldTest;
  readonly path: readonly string[];
}

class WhereCompiler {
  #aliases = 0;

  constructor(private readonly source: FieldSource) {}

  condition(condition: Condition): Statement<boolean> {
    return compileCondition(condition, (path, test) =>
      this.#field(path, normalTest(this.source, path, test)),
    );
  }

  #field(path: readonly string[], test: FieldTest): Statement<boolean> {
    const field = fieldAt(this.source, path);
    if (field.kind === "column") {
      const expression: Statement = raw(`resources.${field.column}`);
      if (field.column === "id") return testId(expression, test);
      const kind = field.valueKind === "number" ? "number" : "text";
      return testColumn({ kind, expression }, test);
    }
    if (field.kind === "scalar") {
      const bySlot = slotTest(field, test);
      if (bySlot !== undefined) return bySlot.condition;
      return this.#ofValue(nodeAt(field.path), test, path);
    }
    const [first = "", ...rest] = field.path;
    const containers = containersOf(this.source, field.path);
    const node = JsonNode.column("resources.data").member(first);
    const exact = this.#ofPath(node, rest, containers, { test, path });
    const near = isNearTest(this.source, test);
    return near === undefined ? exact : statement<boolean>`(${near} and ${exact})`;
  }

  /** The test of the value itself, without its items; `path` leads to it from the record. */
  #ofValue(node: JsonNode, test: FieldTest, path: readonly string[]): Statement<boolean> {
    if (test.kind !== "element") return testNode(node, test);
    return node.someItem(this.#alias(), (item) => {
      const condition = compileCondition(test.condition, (names, inner) => {
        const wholePath = [...path, ...names];
        const normal = normalTest(this.source, wholePath, inner);
        const [first, ...rest] = names;
        if (first === undefined) return this.#ofValue(item, normal, wholePath);
        return this.#ofPath(item.member(first), rest, [], { test: normal, path: wholePath });
      });
      return test.isObject ? join([item.is("object"), condition], " and ") : condition;
    });
  }

  /** The test of the value that the names lead to; a list on the way stands for its items. */
  #ofPath(
    node: JsonNode,
    names: readonly string[],
    containers: readonly Container[],
    placed: PlacedTest,
  ): Statement<boolean> {
    const [name, ...rest] = names;
    if (name === undefined) return this.#ofEnd(node, placed);
    const [container, ...restContainers] = containers;
    const testNext = (next: JsonNode): Statement<boolean> =>
      this.#ofPath(next, rest, restContainers, placed);
    if (container === "object") return testNext(node.member(name));
    const items = node.someItem(this.#alias(), (item) =>
      join([item.is("object"), testNext(item.member(name))], " and "),
    );
    const inList = positionPattern.test(name)
      ? statement`(${items} or ${testNext(node.at(Number(name)))})`
      : items;
    // A declared list that is not one is null or missing, and so is everything inside it.
    const inObject =
      container === "list"
        ? this.#ofEnd(
            names.reduce((parent, inner) => parent.member(inner), node),
            placed,
          )
        : testNext(node.member(name));
    return statement<boolean>`(case when ${node.is("array")} then ${inList} else ${inObject} end)`;
  }

  #ofEnd(node: JsonNode, { test, path }: PlacedTest): Statement<boolean> {
    if (test.kind === "element") return this.#ofValue(node, test, path);
    const itself = testNode(node, test);
    if (test.kind === "exists" || test.kind === "size") return itself;
    // An item is never missing: null matches a null among the items.
    const items = node.someItem(this.#alias(), (item) => testNode(item, test));
    return statement<boolean>`(${itself} or ${items})`;
  }

  #alias(): string {
    this.#aliases += 1;
    return `item${this.#aliases}`;
  }
}

/** The test of an id, on SQLite by the record's number. */
function testId(expression: Statement, test: FieldTest): Statement<boolean> {
  const plain = testColumn({ kind: "text", expression }, test);
  return byDialect<boolean>({ sqlite: numberedTest(test, plain), postgresql: plain });
}

function numberedTest(test: FieldTest, plain: Statement<boolean>): Statement<boolean> {
  if (test.kind === "equal" && typeof test.value === "string") return isRecord(test.value);
  if (test.kind === "in") {
    return isOneOfRecords(test.values.filter((value) => typeof value === "string"));
  }
  if (test.kind !== "compare" || typeof test.value !== "string") return plain;
  const bound = isBeside(test.operator, test.value);
  return statement<boolean>`(${plain} and ${bound})`;
}

function singleSlotTest(slot: Slot, field: Field, test: FieldTest): SlotTest | undefined {
  const column = columnOf(slot);
  const isOwn = (value: unknown): value is string | number | boolean =>
    typeof value === kindTypes[field.kind === "open" ? "text" : field.valueKind];
  const keyed = (value: string | number | boolean): Statement =>
    slot.kind === "number" && typeof value === "number"
      ? asDouble(value)
      : statement`${textOfKey(slot, value)}`;
  if (test.kind === "equal" && isOwn(test.value)) {
    const condition = statement<boolean>`(${column} = ${keyed(test.value)})`;
    return { slot, condition, isEquality: true };
  }
  if (test.kind === "in" && test.values.length > 0 && test.values.every(isOwn)) {
    const condition =
      slot.kind === "number"
        ? isOneOfNumbers(
            column,
            test.values.filter((value) => typeof value === "number"),
          )
        : isOneOfTexts(
            column,
            test.values.map((value) => textOfKey(slot, value)),
          );
    return { slot, condition, isEquality: false };
  }
  // The keys of a unique column are not in the order of their values.
  if (slot.kind === "unique") return undefined;
  if (test.kind === "compare" && typeof test.value !== "boolean" && isOwn(test.value)) {
    const words = raw(` ${test.operator} `);
    const condition = statement<boolean>`(${column}${words}${keyed(test.value)}
      and ${column} > ${missingMark(slot)})`;
    return { slot, condition, isEquality: false };
  }
  if (test.kind === "starts-with" && slot.kind === "text" && field.kind === "scalar") {
    if (field.valueKind !== "text") return undefined;
    const start = textKey(test.text);
    const end = textAfter(start);
    const condition = statement<boolean>`(${column} >= ${start} and ${column} < ${end})`;
    return { slot, condition, isEquality: false };
  }
  return undefined;
}

function textOfKey(slot: Slot, value: string | number | boolean): string {
  return slot.kind === "unique" ? uniqueKey(value) : textKey(String(value));
}

export function nodeAt(path: readonly string[]): JsonNode {
  return path.reduce((parent, name) => parent.member(name), JsonNode.column("resources.data"));
}

function columnOf(slot: Slot): Statement {
  return raw(`resources.${slotColumn(slot)}`);
}

/** The key of a record without a value, or with one of another kind; it sorts before all values. */
export function missingMark(slot: Slot): Statement {
  return slot.kind === "number" ? asDouble(noNumber) : statement`${noText}`;
}

const kindTypes = { text: "string", number: "number", flag: "boolean" } as const;

/** The first text, by code points, after all texts that start so. */
function textAfter(start: string): string {
  const points = Array.from(start, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last >= 0x10_ff_ff) continue;
    // The code points between these two are surrogates, which are no characters.
    return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
  }
  return start;
}
