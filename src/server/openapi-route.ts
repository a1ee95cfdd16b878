import { openApi, type OpenApiDocument } from "#contract/openapi.ts";
import { version } from "#lib/version.ts";
import { Answer } from "./handler.ts";
import { tokenDigest } from "./services/secrets.ts";

let answer: Answer<OpenApiDocument> | undefined;

/** The interface's description: computed from the contract once, when it is first asked for. */
export function openApiAnswer(): Answer<OpenApiDocument> {
  if (answer === undefined) {
    const document = openApi({ version });
    const text = JSON.stringify(document);
    answer = new Answer(document, { text, headers: { etag: `"${tokenDigest(text)}"` } });
  }
  return answer;
}
