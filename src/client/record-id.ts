import { catalogError } from "#contract/errors.ts";

const shape = /^(?:DOC-[A-Za-z0-9-]+|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * A document's bare number or UUID (spec 4.1 rule 8, 2.7). Throws E305 for whitespace, URL syntax,
 * path segments and whatever else it is not, before any request.
 */
export function bareRecordId(id: string): string {
  if (id.length <= 64 && shape.test(id)) return id;
  throw catalogError("E305", {
    details: "a document ID is DOC-… or a UUID, bare: no spaces, no address, no path",
  });
}
