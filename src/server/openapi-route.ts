import { openApi, type OpenApiDocument } from "#contract/openapi.ts";
import { version } from "#lib/version.ts";

let document: OpenApiDocument | undefined;

/** The interface's description: computed from the contract once, when it is first asked for. */
export function openApiDocument(): OpenApiDocument {
  document ??= openApi({ version });
  return document;
}
