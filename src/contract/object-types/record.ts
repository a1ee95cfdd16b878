import { counted } from "#lib/text/counted.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { LinkType } from "./object-types.ts";
import type { PropertyDefinition } from "./properties.ts";
import type { Fault } from "../problems.ts";
import type { JsonObject } from "../values.ts";
import { geometryCheck, geopointCheck } from "./geometry-check.ts";
import { RecordRun } from "./record-run.ts";
import type { Check, PatternBudget, Place, ReferenceUse } from "./record-run.ts";
import { dateCheck, datetimeCheck, notAChoice, referenceCheck, textCheck } from "./text-checks.ts";

/** Levels of a record's data; the data itself is level 1. */
const maximumRecordDepth = 32;

/** Larger magnitudes are refused: their sums could overflow a double. */
const maximumMagnitude = 1e308;

/** The part of an Object Type that a record's data is checked against. */
export interface RecordShape {
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly linkTypes?: readonly LinkType[] | undefined;
}

export interface RecordCheckOptions {
  /** Defaults replace missing values only on creation. */
  readonly isCreation: boolean;
  /** The path of the data in the request, for pointers; default: the root. */
  readonly base?: readonly (string | number)[];
  /** The data that an update replaces; its file properties are kept. */
  readonly stored?: JsonObject;
  /** Shared by the records of one request; each record has its own without. */
  readonly patterns?: PatternBudget | undefined;
}

export interface CheckedRecord {
  /** A copy to store, in the definition's order; not usable when there are faults. */
  readonly data: JsonObject;
  /** A test of {@link PatternBudget.later} adds its fault to this list. */
  readonly faults: readonly Fault[];
  readonly references: readonly ReferenceUse[];
}

export type RecordCheck = (data: JsonObject, options: RecordCheckOptions) => CheckedRecord;

/** Compiles a definition into a check that reports up to 50 faults of a record's data. */
export function compileRecordCheck(shape: RecordShape): RecordCheck {
  const members = [...membersOf(shape.properties), ...(shape.linkTypes ?? []).map(linkMember)];
  const checkMembers = membersCheck(members);
  const fileNames = members.filter((member) => member.isFile).map((member) => member.name);
  return (data, { isCreation, base = [], stored, patterns }) => {
    const run = new RecordRun(isCreation, base, patterns);
    const given = fileNames.length === 0 ? data : withoutFiles(fileNames, data, stored, run);
    const checked = checkMembers(given, undefined, run);
    if (stored !== undefined) {
      for (const name of fileNames) {
        const file = ownMember(stored, name);
        if (file !== undefined) checked[name] = file;
      }
    }
    return { data: checked, faults: run.faults, references: run.references };
  };
}

/** The faults of one value of a property, e.g. its default. */
export function checkValue(
  property: PropertyDefinition,
  value: unknown,
  base: readonly (string | number)[],
): readonly Fault[] {
  const run = new RecordRun(true, base.slice(0, -1));
  checkOf(property)(value, { parent: undefined, key: base.at(-1) ?? "" }, run);
  return run.faults;
}

function membersOf(properties: RecordShape["properties"]): Member[] {
  return Object.entries(properties).map(([name, property]) => memberOf(name, property));
}

interface Member {
  readonly name: string;
  readonly check: Check;
  readonly isRequired: boolean;
  readonly isFile: boolean;
  readonly fallback: unknown;
}

function memberOf(name: string, property: PropertyDefinition): Member {
  const isFile = property.type === "file";
  return {
    name,
    check: checkOf(property),
    // A file is uploaded after its record, by the file routes.
    isRequired: property.required === true && !isFile,
    isFile,
    fallback: property.default,
  };
}

function linkMember(link: LinkType): Member {
  const one = referenceCheck(link.targetObjectType);
  const check = link.cardinality === "one" ? one : listCheck(one, 0, Number.POSITIVE_INFINITY);
  return { name: link.name, check, isRequired: false, isFile: false, fallback: undefined };
}

function membersCheck(
  members: readonly Member[],
): (data: JsonObject, parent: Place | undefined, run: RecordRun) => JsonObject {
  const names = new Set(members.map((member) => member.name));
  return (data, parent, run) => {
    const checked: JsonObject = {};
    let known = 0;
    for (const { name, check, isRequired, fallback } of members) {
      let value = ownMember(data, name);
      if (value !== undefined) known += 1;
      else if (run.isCreation) value = fallback;
      if (value === undefined || value === null) {
        if (isRequired) run.fault({ parent, key: name }, "is required");
        else if (value === null) checked[name] = null;
        continue;
      }
      checked[name] = check(value, { parent, key: name }, run);
    }
    const given = Object.keys(data);
    if (known < given.length) {
      for (const key of given) {
        if (!names.has(key)) run.fault({ parent, key }, "is not a property of this type");
      }
    }
    return checked;
  };
}

function checkOf(property: PropertyDefinition): Check {
  switch (property.type) {
    case "string":
    case "text":
    case "email":
    case "url":
      return textCheck(property);
    case "integer":
    case "number":
      return numberCheck(property);
    case "boolean":
      return (value, place, run) =>
        typeof value === "boolean" ? value : run.fault(place, "must be true or false");
    case "date":
      return dateCheck;
    case "datetime":
      return datetimeCheck;
    case "enum":
      return enumCheck(property);
    case "object":
      return objectCheck(property);
    case "array":
      return listCheck(
        property.items === undefined ? freeJson : checkOf(property.items),
        property.minItems ?? 0,
        property.maxItems ?? Number.POSITIVE_INFINITY,
      );
    case "reference":
      return referenceCheck(property.targetObjectType ?? "");
    case "geopoint":
      return geopointCheck;
    case "geometry":
      return geometryCheck;
    case "file":
      return (_value, place, run) => run.fault(place, "is a file; upload it with the file route");
  }
}

function numberCheck(property: PropertyDefinition): Check {
  const isWhole = property.type === "integer";
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = property;
  const choices = property.enum === undefined ? undefined : new Set<unknown>(property.enum);
  return (value, place, run) => {
    if (typeof value !== "number") {
      return run.fault(place, isWhole ? "must be an integer" : "must be a number");
    }
    if (isWhole && !Number.isSafeInteger(value)) {
      const isLarge = Number.isInteger(value);
      return run.fault(place, isLarge ? "must be between -2^53 and 2^53" : "must be an integer");
    }
    const number = freeNumber(value, place, run);
    if (number === undefined) return undefined;
    if (number < minimum) return run.fault(place, `must be at least ${minimum}`);
    if (number > maximum) return run.fault(place, `must be at most ${maximum}`);
    if (choices?.has(number) === false) return run.fault(place, notAChoice(choices));
    return number;
  };
}

function enumCheck(property: PropertyDefinition): Check {
  const choices = new Set<unknown>(property.enum ?? []);
  return (value, place, run) =>
    choices.has(value) ? (value === 0 ? 0 : value) : run.fault(place, notAChoice(choices));
}

function objectCheck(property: PropertyDefinition): Check {
  const check =
    property.properties === undefined ? freeJson : membersCheck(membersOf(property.properties));
  return (value, place, run) =>
    isJsonObject(value) ? check(value, place, run) : run.fault(place, "must be an object");
}

function listCheck(item: Check, minItems: number, maxItems: number): Check {
  return (value, place, run) => {
    if (!Array.isArray(value)) return run.fault(place, "must be a list");
    if (value.length < minItems)
      return run.fault(place, `must have at least ${counted(minItems, "item")}`);
    if (value.length > maxItems)
      return run.fault(place, `must have at most ${counted(maxItems, "item")}`);
    const checked: unknown[] = [];
    for (let index = 0; index < value.length && !run.isFull; index += 1) {
      checked.push(item(value[index], { parent: place, key: index }, run));
    }
    return checked;
  };
}

/** Refuses files that differ from the stored ones, so that a read record can be written back. */
function withoutFiles(
  names: readonly string[],
  data: JsonObject,
  stored: JsonObject | undefined,
  run: RecordRun,
): JsonObject {
  const rest = { ...data };
  for (const name of names) {
    const value = ownMember(rest, name);
    delete rest[name];
    if (value === undefined || value === null) continue;
    if (stored !== undefined && sameJson(value, ownMember(stored, name))) continue;
    run.fault({ parent: undefined, key: name }, "is a file; upload it with the file route");
  }
  return rest;
}

/** A copy of any JSON without -0, numbers beyond a double, and `__proto__`. */
function freeJson(value: unknown, place: Place, run: RecordRun): unknown {
  if (typeof value === "number") return freeNumber(value, place, run);
  if (typeof value !== "object" || value === null) {
    return value === undefined ? run.fault(place, "must be JSON") : value;
  }
  if (depthOf(place) > maximumRecordDepth) {
    return run.fault(place, `nests deeper than ${maximumRecordDepth} levels`);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => freeJson(item, { parent: place, key: index }, run));
  }
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (run.isFull) break;
    const here = { parent: place, key };
    if (key === "__proto__") run.fault(here, "is not a usable name");
    else copy[key] = freeJson(member, here, run);
  }
  return copy;
}

/** A number as it is stored: never -0; a magnitude above 1e308 is a fault. */
function freeNumber(value: number, place: Place, run: RecordRun): number | undefined {
  if (Math.abs(value) <= maximumMagnitude) return value === 0 ? 0 : value;
  return run.fault(place, "is a number out of range");
}

function depthOf(place: Place): number {
  let depth = 1;
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) depth += 1;
  return depth;
}
