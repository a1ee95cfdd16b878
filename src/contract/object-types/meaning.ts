import type { Meaning, PropertyDefinition, PropertyDefinitions } from "./properties.ts";
import { pointer, type Fault } from "../problems.ts";

type Path = readonly (string | number)[];

/** The types that each meaning applies to. */
const meaningTypes: Readonly<Record<Meaning, readonly string[]>> = {
  due: ["date", "datetime"],
  money: ["integer", "number"],
  title: ["string", "text", "email", "url"],
  status: ["enum"],
};

/** Meanings that one property of a type has, at its top level. */
const singleMeanings: readonly Meaning[] = ["due", "title", "status"];

/** Faults of a property's `meaning`, `currency` and `closed`; `level` is 1 at the top. */
export function meaningFaults(
  { type, meaning, currency, closed = [], enum: choices = [] }: PropertyDefinition,
  path: Path,
  level: number,
): Fault[] {
  const faults: Fault[] = [];
  const fault = (place: Path, detail: string) =>
    faults.push({ pointer: pointer(...path, ...place), detail });
  if (meaning !== undefined) {
    const types = meaningTypes[meaning];
    if (!types.includes(type)) {
      fault(["meaning"], `can't be ${meaning}: the type must be ${types.join(" or ")}`);
    } else if (level > 1 && singleMeanings.includes(meaning)) {
      fault(["meaning"], `can't be ${meaning}: the property must be at the top level`);
    }
  }
  if (meaning !== "money") {
    if (currency !== undefined) fault(["currency"], "applies only to the meaning money");
  } else if (currency === undefined) {
    fault(["currency"], "is required for the meaning money");
  } else if (!currencies().has(currency)) {
    fault(["currency"], "must be a code of ISO 4217, e.g. GBP");
  }
  if (meaning !== "status" && closed.length > 0) {
    fault(["closed"], "applies only to the meaning status");
    return faults;
  }
  if (new Set(closed).size !== closed.length) fault(["closed"], "has a state twice");
  closed.forEach((state, index) => {
    if (!choices.includes(state)) {
      fault(["closed", index], "must be one of the property's choices");
    }
  });
  return faults;
}

/** A fault for each property with a meaning that an earlier property of the type has. */
export function repeatedMeanings(properties: PropertyDefinitions): Fault[] {
  const owners = new Map<Meaning, string>();
  return Object.entries(properties).flatMap(([name, { meaning }]) => {
    if (meaning === undefined || !singleMeanings.includes(meaning)) return [];
    const owner = owners.get(meaning);
    owners.set(meaning, owner ?? name);
    if (owner === undefined) return [];
    const detail = `can't be ${meaning}: "${owner}" already is`;
    return [{ pointer: pointer("properties", name, "meaning"), detail }];
  });
}

let known: ReadonlySet<string> | undefined;

function currencies(): ReadonlySet<string> {
  known ??= new Set(Intl.supportedValuesOf("currency"));
  return known;
}
