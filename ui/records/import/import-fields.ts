import type { Fault, JsonObject, ObjectType } from "#client/index.ts";
import { formField, textChoices, type FormField } from "../../kit/forms/form-field.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";
import type { ImportSettings, OpenedImport } from "../../surface.ts";

/** The fields of the import form, and what they say. */

const fieldOf = (at: number): string => `column ${at + 1}`;
const textIn = (data: JsonObject, name: string): string | undefined => {
  const text = data[name];
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
};

/** One field for each column, then the key and the forms of dates and numbers. */
export function importFields(columns: OpenedImport["columns"], type: ObjectType): FormField[] {
  const names = [
    ...Object.keys(type.properties),
    ...(type.linkTypes ?? []).map(({ name }) => name),
  ];
  const unique = Object.entries(type.properties)
    .filter(([, property]) => property.unique === true)
    .map(([name]) => name);
  const hint = "The property that takes this column; without one the column is left out.";
  return [
    ...columns.map(({ name }, at) =>
      formField(fieldOf(at), name, { kind: "choice", choices: textChoices(names), hint }),
    ),
    formField("key", "(key)", {
      kind: "choice",
      choices: textChoices(unique),
      hint: "A row changes the record with its value; without a key each row creates a record.",
    }),
    formField("date", "(dates)", {
      hint: "The form of dates, e.g. DD.MM.YYYY or M/D/YY; serial for days of a spreadsheet.",
    }),
    formField("number", "(numbers)", { hint: "The form of numbers, as 1.234,56 or 1,234.56." }),
  ];
}

/** The values of the fields before the user changes them: the columns' own names. */
export function importData(columns: OpenedImport["columns"]): JsonObject {
  return Object.fromEntries(
    columns.flatMap(({ property }, at) => (property === null ? [] : [[fieldOf(at), property]])),
  );
}

export function importSettings(columns: OpenedImport["columns"], data: JsonObject): ImportSettings {
  return {
    columns: Object.fromEntries(
      columns.map(({ name }, at) => [name, textIn(data, fieldOf(at)) ?? null]),
    ),
    key: textIn(data, "key"),
    date: textIn(data, "date"),
    number: textIn(data, "number"),
  };
}

/** Two columns cannot have one property, and the key needs a column. */
export function importFaults(columns: OpenedImport["columns"], data: JsonObject): Fault[] {
  const places = columns.map((_, at) => textIn(data, fieldOf(at)));
  const taken = places.filter((place) => place !== undefined);
  const twice = places.flatMap((place, at): Fault[] => {
    const first = places.indexOf(place);
    if (place === undefined || first === at) return [];
    const detail = `is also the property of the column "${columns[first]?.name ?? ""}"`;
    return [{ pointer: `#/${fieldOf(at)}`, detail }];
  });
  if (columns.length === 0) return [];
  if (taken.length === 0) return [{ pointer: `#/${fieldOf(0)}`, detail: "needs a property" }];
  const key = textIn(data, "key");
  const isKept = key === undefined || taken.includes(key);
  return isKept ? twice : [...twice, { pointer: "#/key", detail: "is the property of no column" }];
}

/** The options of `svc resources import` that do the same. */
export function importOptions(columns: OpenedImport["columns"], data: JsonObject): CommandOptions {
  const settings = importSettings(columns, data);
  const changed = columns.filter(
    ({ name, property }) => settings.columns[name] !== property || property === null,
  );
  const { key, date, number } = settings;
  const map = changed.map(({ name }) => `${name}=${settings.columns[name] ?? ""}`);
  return { key, map, dates: date, numbers: number };
}
