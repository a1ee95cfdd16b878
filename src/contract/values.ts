import * as z from "zod";
import { canonicalUuid, uuidPattern } from "#lib/uuid.ts";
import { roles } from "./roles.ts";

/**
 * A workspace, user, record or job id: a UUID, which is read however its letters are written and goes
 * on in lower case (RFC 9562, 4).
 */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(uuidPattern, "is not a UUID")
  .meta({ format: "uuid" });

/** Of a route whose path names its workspace, and nothing else. */
export const tenantParams = z.object({ tenantId: uuid });

/**
 * A whole number of a path or a query string, where it arrives as its decimal digits and nothing
 * else: no exponent, no point, no blank. Typed callers give the number itself.
 */
export function wholeNumber(minimum: number, maximum: number) {
  return z.preprocess(
    (given: number | string) =>
      typeof given === "string" && /^-?\d+$/.test(given) ? Number(given) : given,
    z.int({ abort: true }).min(minimum).max(maximum),
  );
}

/** RFC 3339 in UTC with milliseconds, e.g. `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.string().meta({ format: "date-time" });

/** Slugs that are path segments of the resource routes and so can't name an Object Type. */
export const reservedSlugs = [
  "query",
  "aggregate",
  "search",
  "storage",
  "batch",
  "history",
  "files",
  "actions",
] as const;

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function slugOf(maximumLength: number) {
  return z.string().min(1).max(maximumLength).regex(slugPattern, "is not kebab-case");
}

/** Exact lower-case kebab-case, as stored (spec 2.1, 2.2). */
export const slug = slugOf(255);

/**
 * The slug of a new workspace: also no UUID, since whoever names a workspace by its slug or its ID
 * would get another one, or none.
 */
export const workspaceSlug = slugOf(63).refine(
  (text) => canonicalUuid(text) === undefined,
  "has the form of an ID",
);

/** The slug of an Object Type in a path: stored slugs are authoritative, so only the shape. */
export const objectTypeSlug = z.string().min(1).max(255);

/**
 * An e-mail address, `admin@localhost` too (RFC 5321, 4.1.2). Described by its pattern alone: what
 * checks `format: email` mostly asks for a dot behind the `@`.
 */
export const email = z
  .string()
  .max(254)
  .regex(/^[^\s@"<>()]+@[^\s@"<>()]+$/, "is not an e-mail address");

/** A JSON object whose members are the user's own. */
export const jsonObject = z.record(z.string(), z.unknown());
/** A JSON object whose members are the user's own. */
export type JsonObject = Record<string, unknown>;

/** A member's role in a workspace (spec 2.1). */
export const role = z.enum(roles);
