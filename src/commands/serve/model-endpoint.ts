import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import type { ModelEndpoint } from "#server/models/endpoint.ts";
import type { CommandContext } from "../kit/context.ts";
import { firstLineIn } from "./secret-text.ts";

/** The options that name a model endpoint. A key is never an argument. */
export const modelOptions = {
  "ai-url": textOption(
    "url",
    "OpenAI-compatible endpoint for answers and embeddings, e.g. http://127.0.0.1:11434/v1; also " +
      "AI_BASE_URL. Without it answers are quotes only",
  ),
  "ai-key-file": textOption("file", "Read the endpoint's key from this file; or set AI_API_KEY"),
  "ai-chat-model": textOption("name", "Model that writes answers; also AI_CHAT_MODEL"),
  "ai-embedding-model": textOption("name", "Model for vectors; also AI_EMBEDDING_MODEL"),
  "ai-vision-model": textOption("name", "Model that reads images; also AI_VISION_MODEL"),
} as const;

/** The endpoint of the options or the environment. A usage error for one that must not be used. */
export async function modelEndpointOf(
  context: CommandContext,
  options: { readonly [Name in keyof typeof modelOptions]?: string },
): Promise<ModelEndpoint | undefined> {
  const { variables } = context.environment;
  const given = (name: keyof typeof modelOptions, variable: string): string | undefined => {
    const value = options[name] ?? variables[variable];
    return value === "" ? undefined : value;
  };
  const baseUrl = given("ai-url", "AI_BASE_URL");
  if (baseUrl === undefined) {
    const lone = (Object.keys(modelOptions) as (keyof typeof modelOptions)[]).find(
      (name) => options[name] !== undefined,
    );
    if (lone !== undefined) throw usageError(`--${lone} needs --ai-url`);
    return undefined;
  }
  const file = options["ai-key-file"];
  const key =
    file === undefined
      ? variables["AI_API_KEY"]
      : await firstLineIn("--ai-key-file", context.resolvePath(file));
  const { checkedEndpoint } = await import("#server/models/endpoint.ts");
  try {
    return checkedEndpoint({
      baseUrl,
      apiKey: key === "" ? undefined : key,
      chatModel: given("ai-chat-model", "AI_CHAT_MODEL"),
      embeddingModel: given("ai-embedding-model", "AI_EMBEDDING_MODEL"),
      visionModel: given("ai-vision-model", "AI_VISION_MODEL"),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(error.message, "Expected --ai-url https://api.example.org/v1");
  }
}
