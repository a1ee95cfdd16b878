import { catalogError } from "#contract/errors.ts";

/** Every record call names its storage (spec 4.1). */
export const recordStorage = { storage_target: "resourceapi" } as const;

/** No white space, URL syntax or path segment (spec 4.1 rule 8). */
const bareId = /^[^\s\x00-\x20\x7f-\x9f/\\?#%&:]{1,1024}$/;

/** Parameters for a bare document ID (spec 4.1 rule 8); E305 for other text. */
export function documentParams(id: string): { readonly documentId: string } {
  if (bareId.test(id) && id !== "." && id !== "..") return { documentId: id };
  throw catalogError("E305", {
    details: "a document ID is DOC-… or a UUID, without spaces, URL or path",
  });
}
