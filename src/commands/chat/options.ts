import { catalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { parseJson, readText } from "../input.ts";

/** Options of `chat send` and `chat stream` (spec 4.7), and the context that chat answers from. */
export const chatOptions = {
  "tenant-id": tenantOption,
  workflow: { type: "string", required: true, description: "Workflow to ask" },
  stage: { type: "string", default: "chat", description: "Stage of the workflow" },
  "conversation-id": { type: "string", description: "Conversation to continue (UUID)" },
  "document-id": {
    type: "string",
    repeatable: true,
    placeholder: "id",
    description: "Answer from these documents only",
  },
  params: {
    type: "string",
    placeholder: "json",
    description: "Structured values for the workflow; `-` reads stdin, `@path` a file",
  },
} as const;

/** The question; a blank one is refused here, where it costs nothing. Throws E303. */
export function chatMessage(message: string): string {
  if (message.trim() !== "") return message;
  throw catalogError("E303", { field: "<message>" });
}

/** The chat body's `params` from the flags; `undefined` where none is given. */
export async function chatParams(
  context: CommandContext,
  options: { readonly params?: string; readonly "document-id": string[] },
): Promise<JsonObject | undefined> {
  const documentIds = options["document-id"];
  const given =
    options.params === undefined
      ? {}
      : parseJson(await readText(context, options.params, "--params"), "--params");
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw catalogError("E304", { details: "--params is not a JSON object", validFormats: "JSON" });
  }
  const params: JsonObject = { ...given };
  if (documentIds.length > 0) params["documentIds"] = documentIds;
  return Object.keys(params).length === 0 ? undefined : params;
}
