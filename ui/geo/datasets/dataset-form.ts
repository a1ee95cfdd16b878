import type { JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { GeoDataset } from "#contract/geo/datasets.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { formField, type FormField } from "../../kit/forms/form-field.ts";
import { textsIn } from "../../kit/forms/field-text.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";

const describing: readonly FormField[] = [
  formField("title", "title", { hint: "shown in place of the name" }),
  formField("description", "description", { kind: "lines" }),
  formField("source", "source", { hint: "where the data come from, such as a URL" }),
  formField("licence", "licence", { hint: "of the data, such as CC-BY-4.0" }),
  formField("attribution", "attribution", { hint: "words that the licence asks to be shown" }),
  formField("nameProperties", "names", {
    kind: "list",
    hint: "properties with names of features, one in each line; empty for those called like a name",
  }),
];

const nameField = formField("dataset", "dataset", {
  isRequired: true,
  hint: "a name for paths and commands, such as city-parks: letters, digits and hyphens",
});

/** The fields of a new dataset, or of one that exists, whose name stays. */
export function datasetFields(kind: "new" | "existing"): FormField[] {
  return kind === "new" ? [nameField, ...describing] : [...describing];
}

export function datasetData(dataset: GeoDataset): JsonObject {
  const { title, description, source, licence, attribution, nameProperties } = dataset;
  const filled = (text: string | undefined) => (text === "" ? undefined : text);
  return given({
    title,
    description: filled(description),
    source: filled(source),
    licence: filled(licence),
    attribution: filled(attribution),
    nameProperties: nameProperties?.length === 0 ? undefined : nameProperties,
  });
}

function settingsOf(data: JsonObject) {
  return {
    title: textIn(data, "title"),
    description: textIn(data, "description"),
    source: textIn(data, "source"),
    licence: textIn(data, "licence"),
    attribution: textIn(data, "attribution"),
    nameProperties: textsIn(data["nameProperties"]),
  };
}

/** The body that creates a dataset. */
export function datasetCreation(data: JsonObject) {
  const { nameProperties, ...texts } = settingsOf(data);
  return {
    dataset: textIn(data, "dataset") ?? "",
    ...given({
      ...texts,
      nameProperties: nameProperties.length === 0 ? undefined : nameProperties,
    }),
  };
}

/** The changed settings alone; an emptied one is an empty text, and a title then the name. */
export function datasetChanges(before: GeoDataset, after: JsonObject) {
  const [old, now] = [settingsOf(datasetData(before)), settingsOf(after)];
  const other = (name: Exclude<keyof typeof now, "nameProperties">, emptied: string) =>
    old[name] === now[name] ? undefined : (now[name] ?? emptied);
  return given({
    title: other("title", before.dataset),
    description: other("description", ""),
    source: other("source", ""),
    licence: other("licence", ""),
    attribution: other("attribution", ""),
    nameProperties: sameJson(old.nameProperties, now.nameProperties)
      ? undefined
      : now.nameProperties,
  });
}

/** The options of the command with these settings. */
export function datasetOptions(settings: ReturnType<typeof datasetChanges>): CommandOptions {
  const { nameProperties: names, ...texts } = settings;
  return { ...texts, names: names?.length === 0 ? [""] : names };
}
