import type { UploadFields } from "#contract/documents/upload.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import type { JsonObject } from "#contract/values.ts";

/** The accepted metadata of an upload: kept beside the document, and without any effect (2.5). */
export function metadataOf(fields: UploadFields): JsonObject {
  const metadata: JsonObject = {};
  for (const name of uploadMetadataNames) {
    const value = fields[name];
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}
