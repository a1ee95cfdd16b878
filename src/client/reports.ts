import { callForSuccess, type CallSettings } from "./invoke.ts";
import type { CallOptions } from "./options.ts";
import { clientRoute } from "./route.ts";

/** The forms of a report next to JSON, with their media types. */
const mediaTypes = { geojson: "application/geo+json", csv: "text/csv" } as const;
/** A form of a report next to JSON: `geojson` or `csv`. */
export type ReportForm = keyof typeof mediaTypes;

/** Runs a report by its name; returns the unread response in that form. */
export async function reportFile(
  settings: CallSettings,
  report: string,
  form: ReportForm,
  options: CallOptions = {},
): Promise<Response> {
  const accept = `${mediaTypes[form]}, application/problem+json`;
  const headers = { ...options.headers, accept };
  const input = { ...options, params: { report }, headers };
  return await callForSuccess(clientRoute("geoReports", "run"), input, settings);
}
