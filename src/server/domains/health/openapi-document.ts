import { openApi, type OpenApiDocument } from "#contract/openapi.ts";
import { version } from "#lib/version.ts";
import { Answer } from "../../http/handler.ts";
import { JsonText } from "../../http/response/json-text.ts";
import { tokenDigest } from "../secrets/service.ts";

let answer: Answer<OpenApiDocument> | undefined;

/** The interface's description: computed from the contract once, when it is first asked for. */
export function openApiAnswer(): Answer<OpenApiDocument> {
  if (answer === undefined) {
    const text = new JsonText<OpenApiDocument>(JSON.stringify(openApi({ version })));
    answer = new Answer(text, { headers: { etag: `"${tokenDigest(text.text)}"` } });
  }
  return answer;
}
