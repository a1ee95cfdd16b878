import * as z from "zod";
import { uuidPattern } from "#lib/uuid.ts";
import { sentAs } from "./deployments.ts";
import { rule } from "./plain/rule.ts";
import { changes } from "./plain/rules.ts";
import { roles } from "./access/roles.ts";

/** The id of a workspace: a UUID in lower case at every deployment (spec 5.2; RFC 9562, 4). */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(uuidPattern, "must be a UUID")
  .meta({ format: "uuid" });

/** An id that comes from a deployment: any text on one line. */
export const opaqueId = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, "must not have control characters");

/** Another id: a UUID at the embedded platform, any text for a client. */
export const storedId = sentAs(uuid, opaqueId);

/** Parameters of a path that names only a workspace. */
export const tenantParams = z.object({ tenantId: uuid });

/** A text that proves a right by itself; agents neither send nor receive it. */
export const secretText = z.string().meta({ format: "password" });

/** An integer in a path or query: decimal digits only, no exponent. */
export function wholeNumber(minimum: number, maximum: number) {
  const number = z.int({ abort: true }).min(minimum).max(maximum);
  return z.preprocess(changes["from digits"], number);
}

/** A flag in a query: `true` or `false`. */
export const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform(changes["is true"])]);

/** An absolute http or https address. */
export const webAddress = z
  .string()
  .trim()
  .refine(rule("web address"), "must be an http or https address")
  .meta({ format: "uri" });

/** The name of an IANA time zone as its database writes it, e.g. `Europe/London` or `UTC`. */
export const timeZone = z
  .string()
  .max(100)
  .refine(rule("time zone"), { error: "must be an IANA time zone, e.g. Europe/London" });

/** RFC 3339 in UTC with milliseconds, e.g. `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.string().meta({ format: "date-time" });

/** Path segments of the resource routes, which can't be slugs of Object Types. */
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
  return z.string().min(1).max(maximumLength).regex(slugPattern, "must be in kebab-case");
}

/** A stored slug: kebab-case in lower case (spec 2.1, 2.2). */
export const slug = slugOf(255);

/** The slug of a new workspace: not a UUID, since commands take a slug or an ID. */
export const workspaceSlug = slugOf(63).refine(rule("no id"), "must not have the form of an ID");

/** The slug of an Object Type in a path: any stored slug. */
export const objectTypeSlug = z.string().min(1).max(255);

/** An e-mail address (RFC 5321, 4.1.2); `format: email` often requires a dot after the `@`. */
export const email = z
  .string()
  .max(254)
  .regex(/^[^\s@"<>()]+@[^\s@"<>()]+$/, { error: "must be an e-mail address", abort: true });

/**
 * An address in a request: also without invisible characters and words of two scripts that look
 * alike, since it decides who gets access.
 */
export const givenEmail = email
  .refine(rule("looks like no other address"), {
    error: "must not have letters of another script that make it look like another address",
    abort: true,
  })
  .refine(rule("mail address"), "must be an e-mail address without invisible characters");

export const jsonObject = z.record(z.string(), z.unknown());
/** A JSON object with any members. */
export type JsonObject = Record<string, unknown>;

export const role = z.enum(roles);
