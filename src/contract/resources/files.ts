import * as z from "zod";
import { timestamp } from "../values.ts";

/**
 * Files on a record's properties (spec 2.4). A property of type `file` has one {@link FileValue} in
 * the record's data, which only the file routes change; each change is a new version of the record.
 * The history keeps names and digests of earlier files, but only the current bytes can be read.
 */

const fileValue = z
  .looseObject({
    /** The name that the sender wrote: text to show, never a path. */
    filename: z.string(),
    contentType: z.string(),
    /** Length of the file in bytes. */
    size: z.int(),
    /** The digest as 64 hexadecimal digits. */
    sha256: z.string(),
  })
  .meta({ id: "FileValue" });
/** A file in a record's data; `downloadFile` reads its bytes. */
export type FileValue = z.output<typeof fileValue>;

export const uploadedFile = fileValue
  .partial()
  .extend({ property: z.string().optional(), version: z.int().optional() })
  .meta({ id: "UploadedFile" });
/** An uploaded file, and the record's new version. */
export type UploadedFile = z.output<typeof uploadedFile>;

/** Lifetime of a signed URL. */
export const fileLinkMinutes = 15;

export const fileLink = z
  .looseObject({ url: z.string(), expiresAt: timestamp.optional() })
  .meta({ id: "FileLink" });
/** A secret URL that reads a file without a token, until `expiresAt` or the file's next change. */
export type FileLink = z.output<typeof fileLink>;

/** Longest filename in UTF-16 units, as in common file systems. */
const filenameLimit = 255;

export const fileUploadQuery = z.object({
  filename: z
    .string()
    .min(1)
    .max(filenameLimit)
    .describe("The file's name; text only, a path in it has no effect"),
});

export const fileReadQuery = z.object({
  access: z
    .enum(["url"])
    .optional()
    .describe("`url` returns a signed URL, valid for 15 minutes, instead of the bytes"),
});
