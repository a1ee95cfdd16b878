import type { UploadFields } from "#contract/documents/upload.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";

/** The metadata of an upload, which is stored with the document and has no effect (spec 2.5). */
export function metadataOf(fields: UploadFields): JsonObject {
  const metadata: JsonObject = {};
  for (const name of uploadMetadataNames) {
    const value = fields[name];
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}

const mediaTypePattern = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/;
const unknownType = "application/octet-stream";

/** The sender's media type without parameters; by the name's ending where it says nothing. */
export function claimedMediaType(declared: string | undefined, filename: string): string {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaTypePattern.test(type) && type !== unknownType) return type;
  const extension = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase();
  return extension === undefined
    ? unknownType
    : (ownMember(typesByEnding, extension) ?? unknownType);
}

const typesByEnding: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  eml: "message/rfc822",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  markdown: "text/markdown",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};
