import * as z from "zod";
import { timestamp } from "../values.ts";

/**
 * Files on a record's properties (spec 2.4). A property of type `file` holds one {@link FileValue}
 * in the record's data, which only the file routes change; each change is a new version of the
 * record. The bytes are those of the current version only: a version before it still shows in the
 * history what its file was called and its digest, but once a file is replaced, deleted or gone
 * with its record, nobody can read its bytes any more.
 */

/** A file as it stands in a record's `data`, under the property's name. */
const fileValue = z
  .looseObject({
    /** As the sender wrote it: text to show, never a path. */
    filename: z.string(),
    contentType: z.string(),
    /** Bytes. */
    size: z.int(),
    /** 64 hexadecimal digits. */
    sha256: z.string(),
  })
  .meta({ id: "FileValue" });
/** A file as it stands in a record's data; its bytes come by `downloadFile`. */
export type FileValue = z.output<typeof fileValue>;

/** The answer of an upload: the file, and the record's new version. */
export const uploadedFile = fileValue
  .partial()
  .extend({ property: z.string().optional(), version: z.int().optional() })
  .meta({ id: "UploadedFile" });
/** The file that an upload put on a property, and the version that the record has since. */
export type UploadedFile = z.output<typeof uploadedFile>;

/** Minutes for which a signed URL is good. */
export const fileLinkMinutes = 15;

/**
 * A URL that reads the file without a token until `expiresAt`, for these very bytes: when the file
 * is replaced or deleted before, it reads nothing any more. Whoever has the URL has the file.
 */
export const fileLink = z
  .looseObject({ url: z.string(), expiresAt: timestamp.optional() })
  .meta({ id: "FileLink" });
/** A URL that reads a file without a token until `expiresAt`: who has it has the file. */
export type FileLink = z.output<typeof fileLink>;

/** Longest name of a file, in UTF-16 units: what file systems take, and what their users type. */
const filenameLimit = 255;

export const fileUploadQuery = z.object({
  filename: z
    .string()
    .min(1)
    .max(filenameLimit)
    .describe("The file's name, as text: a path in it means nothing"),
});

export const fileReadQuery = z.object({
  access: z
    .enum(["url"])
    .optional()
    .describe("`url` answers a signed URL instead of the bytes, good for 15 minutes"),
});
