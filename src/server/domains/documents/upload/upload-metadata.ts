import type { UploadFields } from "#contract/documents/upload.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import type { JsonObject } from "#contract/values.ts";

/** The metadata of an upload, which is stored with the document and has no effect (spec 2.5). */
export function metadataOf(fields: UploadFields): JsonObject {
  const metadata: JsonObject = {};
  for (const name of uploadMetadataNames) {
    const value = fields[name];
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}
