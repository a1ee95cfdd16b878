import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface GeoFacts extends KeyFacts {
  /** The state of the selected stored result. */
  readonly resultStatus?: string | undefined;
}

const manages = (capability: string) => needs(capability, "tenant-builder");
const writes = (capability: string) => needs(capability, "tenant-staff");
const made = because(({ resultStatus }: GeoFacts) =>
  resultStatus === undefined || resultStatus === "succeeded"
    ? undefined
    : `this result has no rows: it is ${resultStatus}`,
);

export const geoKeys = keyGroup({
  features: key("L", "place", "features", { footer: 21, disabledReason: row }),
  importFeatures: key("I", "place", "import", {
    footer: 22,
    disabledReason: firstOf(row, writes("geoDatasets.import")),
  }),
  createDataset: key("c", "place", "create", {
    footer: 23,
    disabledReason: manages("geoDatasets.create"),
  }),
  editDataset: key("e", "place", "edit", {
    footer: 24,
    disabledReason: firstOf(row, manages("geoDatasets.update")),
  }),
  deleteDataset: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, manages("geoDatasets.remove")),
  }),
  createFeature: key("c", "place", "create", {
    footer: 22,
    disabledReason: writes("geoFeatures.create"),
  }),
  editFeature: key("e", "place", "edit", {
    footer: 23,
    disabledReason: firstOf(row, writes("geoFeatures.update")),
  }),
  deleteFeature: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, writes("geoFeatures.remove")),
  }),
  runReport: key("R", "place", "run", { footer: 21, disabledReason: row }),
  results: key("L", "place", "results", { footer: 22, disabledReason: row }),
  scheduleReport: key("S", "place", "schedule", {
    footer: 23,
    disabledReason: firstOf(row, writes("geoReports.update")),
  }),
  createReport: key("c", "place", "create", {
    footer: 24,
    disabledReason: writes("geoReports.create"),
  }),
  editReport: key("e", "place", "edit", {
    footer: 26,
    disabledReason: firstOf(row, writes("geoReports.update")),
  }),
  deleteReport: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, writes("geoReports.remove")),
  }),
  openResult: key("o", "place", "rows", { footer: 21, disabledReason: firstOf(row, made) }),
  makeResult: key("R", "place", "make a result", {
    footer: 22,
    disabledReason: writes("geoReports.startResult"),
  }),
  saveRows: key("x", "place", "save to a file", { footer: 30 }),
  goGeo: key("-", "global", "geo"),
});

export type GeoKeys = typeof geoKeys & ShellKeys;
