import { textOption } from "#cli/command.ts";
import type { Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { GeoDataset } from "#contract/geo/datasets.ts";
import { given } from "#lib/given.ts";

export const datasetArgument = {
  name: "dataset",
  description: "Name of the dataset; `svc geo datasets list`",
} as const;

/** The options that describe a dataset. */
export const describingOptions = {
  title: textOption("text", "Title of the dataset"),
  description: textOption("text", "Description of its features"),
  source: textOption("text", "Where the data come from, such as a URL"),
  licence: textOption("text", "Licence of the data, such as CC-BY-4.0"),
  attribution: textOption("text", "Words that the licence asks to be shown"),
  names: {
    ...textOption("property", "Property with names of features; '' for those called like a name"),
    repeatable: true,
  },
} as const;

export function descriptionOf(options: {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly source?: string | undefined;
  readonly licence?: string | undefined;
  readonly attribution?: string | undefined;
  readonly names?: readonly string[] | undefined;
}) {
  const { title, description, source, licence, attribution } = options;
  const { names = [] } = options;
  const nameProperties = names.length === 0 ? undefined : names.filter((name) => name !== "");
  return given({ title, description, source, licence, attribution, nameProperties });
}

export function datasetLines(output: Output, dataset: GeoDataset): Shown[] {
  return output.fields([
    ["dataset", dataset.dataset],
    ["title", dataset.title],
    ["description", dataset.description],
    ["features", dataset.features?.toString()],
    ["box", dataset.bbox?.join(", ")],
    ["source", dataset.source],
    ["licence", dataset.licence],
    ["attribution", dataset.attribution],
    ["names", dataset.nameProperties?.join(", ") || undefined],
    ["version", dataset.version?.toString()],
    ["updated", dataset.updated_at],
  ]);
}
