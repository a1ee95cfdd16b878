import { callForSuccess, type CallSettings } from "../invoke.ts";
import type { CallOptions } from "../options.ts";
import { clientRoute } from "../route.ts";

/** The forms of a report next to JSON, with their media types. */
const mediaTypes = {
  geojson: "application/geo+json",
  csv: "text/csv",
  svg: "image/svg+xml",
} as const;
/** A form of a report next to JSON: `geojson`, `csv`, or a map as `svg`. */
export type ReportForm = keyof typeof mediaTypes;

/** A run of a report, or one of its stored results by id. */
export interface ReportFileOptions extends CallOptions {
  readonly result?: string | undefined;
}

/** Runs a report by its name, or takes a stored result; returns the unread response. */
export async function reportFile(
  settings: CallSettings,
  report: string,
  form: ReportForm,
  { result, ...options }: ReportFileOptions = {},
): Promise<Response> {
  const accept = `${mediaTypes[form]}, application/problem+json`;
  const headers = { ...options.headers, accept };
  if (result === undefined) {
    const input = { ...options, params: { report }, headers };
    return await callForSuccess(clientRoute("geoReports", "run"), input, settings);
  }
  const input = { ...options, params: { report, result }, headers };
  return await callForSuccess(clientRoute("geoReports", "result"), input, settings);
}
