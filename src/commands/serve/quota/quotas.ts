import type * as zod from "zod";
import { usageFormatError } from "#cli/errors.ts";
import type { Column } from "#cli/output/table.ts";
import type { ListedQuota } from "#server/platform/maintenance/quota.ts";
import { dataPlaceOptions } from "../data-places.ts";

/** Options and columns that the `serve quota` commands share. */

export const quotaPlaceOptions = {
  "data-dir": dataPlaceOptions["data-dir"],
  "database-url": dataPlaceOptions["database-url"],
  "database-url-file": dataPlaceOptions["database-url-file"],
} as const;

const units: Readonly<Record<string, number>> = { "": 1, K: 1, M: 2, G: 3, T: 4 };

/** A whole number, with K, M, G or T for powers of 1,024 in bytes; null for `none`. */
export function limitIn(flag: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const isBytes = flag === "--bytes";
  const match = /^(\d{1,15})([KMGT]?)(?:i?B)?$/.exec(text);
  const [, digits = "", unit = ""] = match ?? [];
  const factor = unit === "" ? 1 : 1024 ** (units[unit] ?? 0);
  const value = Number(digits) * factor;
  if (match !== null && (isBytes || unit === "") && Number.isSafeInteger(value)) return value;
  throw usageFormatError(`${flag} "${text}"`, isBytes ? "500M, 20G, none" : "1000, none");
}

export const quotaColumns: readonly Column<ListedQuota>[] = [
  { heading: "workspace", value: ({ slug, workspaceId }) => slug || workspaceId, whole: true },
  { heading: "records", value: ({ quota, usage }) => words(usage.records, quota.records) },
  { heading: "documents", value: ({ quota, usage }) => words(usage.documents, quota.documents) },
  { heading: "bytes", value: ({ quota, usage }) => words(usage.bytes, quota.bytes) },
  { heading: "requests in a minute", value: ({ quota }) => String(quota.requests ?? "no limit") },
];

function words(used: number, limit: number | null): string {
  return `${used.toLocaleString("en")} of ${limit?.toLocaleString("en") ?? "no limit"}`;
}

/** The schema of a workspace with its quota and what it uses. */
export function listedQuota(z: typeof zod) {
  const limit = z.int().nullable();
  return z.strictObject({
    workspaceId: z.string(),
    slug: z.string(),
    quota: z.strictObject({ bytes: limit, records: limit, documents: limit, requests: limit }),
    usage: z.strictObject({ bytes: z.int(), records: z.int(), documents: z.int() }),
  });
}
