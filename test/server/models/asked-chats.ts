import { ModelError } from "#server/models/model-error.ts";
import { openAiModels, type ModelOptions } from "#server/models/openai-compatible.ts";
import type { ChatModel } from "#server/models/models.ts";
import { type ModelTestServer } from "#test/support/model-server.ts";

export const quick: ModelOptions = { limits: { retryMs: 1, silenceMs: 200 } };

export function chatOf(server: ModelTestServer, options: ModelOptions = quick): ChatModel {
  const { chat } = openAiModels(
    { baseUrl: server.url, apiKey: "sk-secret", chatModel: "test-model" },
    options,
  );
  if (chat === undefined) throw new Error("no chat model");
  return chat;
}

export async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`not a ModelError: ${String(error)}`);
  return error;
}
