import { configurationTypes } from "#contract/access/configuration-types.ts";
import { settingRanges, type RangedSetting } from "#contract/apps/setting-ranges.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { JsonObject } from "#contract/values.ts";
import { isActive } from "../records/service.ts";
import type { FindRecords, WorkflowStage } from "./workflow-stage.ts";

/** The settings of a workflow's stage, from the configuration records (spec 2.9). */
export interface AnswerSettings {
  /** False where the profile asks for quotes only. */
  readonly mayGenerate: boolean;
  /** The profile's model; the platform's default without one. */
  readonly model: string | undefined;
  /** The prompts of the stage, the assistant and the binding, in this order. */
  readonly prompt: string;
  readonly temperature: number | undefined;
  readonly maximumTokens: number | undefined;
  readonly timeLimitMs: number | undefined;
  /** Passages that the model sees at first. */
  readonly sources: number;
  /** The share of a sentence's words that its source must have. */
  readonly leastSupport: number;
  readonly usesTools: boolean;
}

const promptCharacters = 8_000;
const defaultProfile = "default";

/** The settings of a stage. A value that cannot be used counts as missing. */
export async function answerSettings(
  findRecords: FindRecords,
  { workflow, stage }: WorkflowStage,
): Promise<AnswerSettings> {
  const key = textIn(workflow, "workflow_key") ?? textIn(workflow, "key") ?? "";
  const [binding, chatbot] = await Promise.all([
    active(findRecords, configurationTypes.binding, { workflow_key: key }),
    assistantOf(findRecords, workflow, key),
  ]);
  const profileKey =
    textIn(stage, "ai_profile_key") ??
    textIn(chatbot, "ai_profile_key") ??
    textIn(workflow, "ai_profile_key") ??
    defaultProfile;
  const profile = await active(findRecords, configurationTypes.aiProfile, {
    profile_key: profileKey,
  });
  const stageId = textIn(stage, "id") ?? "";
  const configs = [profile, workflow, binding, chatbot].flatMap((data) => {
    const config = data?.["config"];
    return isJsonObject(config) ? [config] : [];
  });
  const last = (name: string): unknown =>
    [...configs, stage ?? {}].findLast((config) => config[name] !== undefined)?.[name];
  const prompts = chatbot?.["prompts"];
  const prompt = [
    textIn(stage, "prompt"),
    isJsonObject(prompts) ? textIn(prompts, stageId) : undefined,
    ...configs.map((config) => textIn(config, "prompt")),
  ];
  const model = textIn(stage, "model") ?? textIn(profile, "model");
  const number = (name: RangedSetting) => numberIn(last(name), settingRanges[name]);
  const seconds = number("time_limit_seconds");
  return {
    mayGenerate: textIn(profile, "provider") !== "none" && model !== "extractive",
    model,
    prompt: prompt
      .filter((text) => text !== undefined)
      .join("\n\n")
      .slice(0, promptCharacters),
    temperature: number("temperature"),
    maximumTokens: number("max_tokens"),
    timeLimitMs: seconds === undefined ? undefined : seconds * 1_000,
    sources: Math.floor(number("sources") ?? 8),
    leastSupport: number("support_threshold") ?? 0.5,
    usesTools: last("tools") !== false,
  };
}

/** The assistant that the workflow names, or the one that names the workflow. */
async function assistantOf(
  findRecords: FindRecords,
  workflow: JsonObject,
  key: string,
): Promise<JsonObject | undefined> {
  const named = textIn(workflow, "chatbot_key");
  const where = named === undefined ? { workflow_key: key } : { chatbot_key: named };
  return active(findRecords, configurationTypes.chatbot, where);
}

async function active(
  findRecords: FindRecords,
  type: string,
  where: JsonObject,
): Promise<JsonObject | undefined> {
  return (await findRecords(type, where)).find(isActive)?.data;
}

function textIn(data: JsonObject | undefined, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function numberIn(
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  return typeof value === "number" && value >= least && value <= most ? value : undefined;
}
