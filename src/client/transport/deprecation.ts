import { shortText } from "#lib/text/short.ts";
import type { DeprecationNotice } from "../options.ts";

/** The deprecation that a response announces (RFC 9745, RFC 8594). */
export function deprecationOf(
  method: string,
  path: string,
  headers: Headers,
): DeprecationNotice | undefined {
  const deprecation = headers.get("deprecation");
  const sunset = httpDate(headers.get("sunset"));
  if (deprecation === null && sunset === undefined) return undefined;
  const since = structuredDate(deprecation);
  const link = linkTarget(headers.get("link"));
  const parts = [
    `${method} ${path} is deprecated`,
    since === undefined ? "" : ` since ${since.slice(0, 10)}`,
    sunset === undefined ? "" : `, ends ${sunset.slice(0, 10)}`,
    link === undefined ? "" : `; see ${link}`,
  ];
  return {
    method,
    path,
    message: parts.join(""),
    since,
    sunset,
    link,
  };
}

/** A structured-field date: `@` and seconds since 1970 (RFC 9745). */
function structuredDate(field: string | null): string | undefined {
  const seconds = /^@(\d{1,12})$/.exec(field?.trim() ?? "")?.[1];
  return seconds === undefined ? undefined : isoDate(Number(seconds) * 1000);
}

function httpDate(field: string | null): string | undefined {
  return field === null ? undefined : isoDate(Date.parse(field));
}

function isoDate(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function linkTarget(field: string | null): string | undefined {
  for (const part of (field ?? "").slice(0, 4096).split(",")) {
    const match = /^\s*<([^>]+)>.*\brel="?(?:deprecation|sunset|successor-version)\b/i.exec(part);
    if (match?.[1] !== undefined) return shortText(match[1], 300);
  }
  return undefined;
}
