import type { JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { DatasetImport, ImportFault } from "#contract/geo/datasets.ts";
import { importFormats } from "#contract/geo/import-formats.ts";
import { given } from "#lib/given.ts";
import { formField, textChoices, type FormField } from "../../kit/forms/form-field.ts";
import type { WorkOutcome } from "../../kit/state/work.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";
import { countWords } from "../../kit/text/words.ts";

const yesOrNo = {
  kind: "choice",
  isRequired: true,
  fallback: false,
  choices: [
    { text: "no", value: false },
    { text: "yes", value: true },
  ],
} as const;

/** The fields of an import of features; those of columns are for CSV files. */
export const importFields: readonly FormField[] = [
  formField("format", "format", {
    kind: "choice",
    choices: textChoices(importFormats),
    hint: "of the file; empty: what its content says",
  }),
  formField("dryRun", "dry run", { ...yesOrNo, hint: "yes: check the file, and store nothing" }),
  formField("skip", "skip invalid", {
    ...yesOrNo,
    hint: "yes: leave invalid features out; no: one of them refuses the file",
  }),
  formField("repair", "repair", {
    ...yesOrNo,
    hint: "yes: mend geometries where there is one obvious way",
  }),
  formField("keep", "keep crossing", {
    ...yesOrNo,
    hint: "yes: keep geometries whose rings cross or run along each other",
  }),
  formField("id", "ids", {
    hint: "the property or column with the ids of features; empty: their own, or new ones",
  }),
  formField("longitude", "longitude", { hint: "a column of a CSV file; empty: by its name" }),
  formField("latitude", "latitude", { hint: "a column of a CSV file; empty: by its name" }),
  formField("wkt", "geometry", { hint: "a column of a CSV file with WKT; empty: by its name" }),
];

/** The query of an import with these settings. */
export function importQuery(data: JsonObject) {
  const isOn = (name: string) => (data[name] === true ? (true as const) : undefined);
  return given({
    format: importFormats.find((format) => format === data["format"]),
    dryRun: isOn("dryRun"),
    skip: isOn("skip"),
    repair: isOn("repair"),
    keep: isOn("keep"),
    id: textIn(data, "id"),
    longitude: textIn(data, "longitude"),
    latitude: textIn(data, "latitude"),
    wkt: textIn(data, "wkt"),
  });
}

/** The options of `svc geo import` that do the same, and wait for the end. */
export function importOptions(data: JsonObject): CommandOptions {
  const { format, dryRun, ...others } = importQuery(data);
  return { "file-format": format, "dry-run": dryRun, ...others, wait: true };
}

function faultLine({ feature, id, pointer = "", detail }: ImportFault): string {
  const name = id === undefined || id === null ? "" : ` (${id})`;
  return `feature ${countWords(feature)}${name}: ${[pointer, detail].join(" ").trim()}`;
}

/** The outcome of an import as text, the counts first, then the reasons of refused features. */
export function importOutcome(state: DatasetImport): WorkOutcome {
  const { counts, faults = [], error, status, dryRun = false } = state;
  const { stored = 0, repaired = 0, refused = 0 } = counts ?? {};
  const parts = [
    `${countWords(stored)} ${dryRun ? "would be stored" : "stored"}`,
    ...(repaired > 0 ? [`${countWords(repaired)} repaired`] : []),
    ...(refused > 0 ? [`${countWords(refused)} refused`] : []),
  ];
  const more = refused > faults.length ? [`and ${countWords(refused - faults.length)} more`] : [];
  const ended = status === "succeeded" || status === "completed_with_errors";
  const reason = error?.message ?? `the import is ${status}`;
  const head = ended
    ? parts.join(", ")
    : `Nothing was stored, the dataset has its former features: ${reason}`;
  return {
    good: status === "succeeded",
    lines: [head, ...faults.map(faultLine), ...(faults.length > 0 ? more : [])],
  };
}
