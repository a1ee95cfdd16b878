import { usageError } from "#cli/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { kebabCase } from "#lib/text/kebab-case.ts";
import type { WantedRecord } from "../kit/workflows/records.ts";
import type { Stage } from "./stages.ts";

export const defaultUsecase = "generic";
/** The profile of each workflow that names no other one. */
export const defaultProfile = "default";

interface Plan {
  readonly key: string;
  readonly app: string;
  readonly name: string | undefined;
  readonly usecase: string;
  readonly scope: string;
  readonly status: string;
  readonly lifecycle: string | undefined;
  readonly stages: readonly Stage[];
  readonly profileKey: string;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly bindsAi: boolean;
  /** True if an option names the profile; another workflow may use it too. */
  readonly changesAi: boolean;
}

/** The four records of a workflow (spec 2.9), in the order in which they refer to each other. */
export function recordsOf(plan: Plan): WantedRecord[] {
  const { key, app, name, usecase, status, lifecycle, profileKey, provider, model, stages } = plan;
  const named = given({ display_name: name });
  const initial = { display_name: name ?? key };
  const ai = plan.bindsAi ? { ai_profile_key: profileKey } : {};
  const prompts = stages.flatMap(({ id, prompt }) =>
    prompt === undefined ? [] : [[id, prompt] as const],
  );
  return [
    {
      type: "shared-ai-profile",
      identity: { profile_key: profileKey },
      initial: { display_name: profileKey, provider: "platform", status: "active" },
      data: plan.changesAi ? { status: "active", ...given({ provider, model }) } : {},
    },
    {
      type: "shared-chatbot-config",
      identity: { chatbot_key: key },
      initial,
      data: {
        workflow_key: key,
        status,
        ...named,
        ...ai,
        ...(prompts.length === 0 ? {} : { prompts: Object.fromEntries(prompts) }),
      },
    },
    {
      type: "shared-workflow-config",
      identity: { workflow_key: key },
      initial,
      data: {
        status,
        usecase,
        scope_key: plan.scope,
        stages: stages.map((stage) => ({ ...stage })),
        chatbot_key: key,
        ...named,
        ...ai,
      },
    },
    {
      type: "vertical-product-config",
      identity: { vertical_key: app, workflow_key: key },
      initial,
      data: {
        status,
        scope_key: plan.scope,
        ...named,
        ...(lifecycle === undefined ? {} : { config: { documentLifecycle: lifecycle } }),
      },
    },
  ];
}

/** The purpose and the scope: the given ones, else the stored ones. */
export function placeOf(
  key: string,
  named: { readonly usecase: string | undefined; readonly scope: string | undefined },
  kept: JsonObject,
): Pick<Plan, "usecase" | "scope"> {
  const { usecase: keptUsecase, scope_key: keptScope } = kept;
  const former = typeof keptUsecase === "string" ? keptUsecase : defaultUsecase;
  const usecase = named.usecase ?? former;
  // A scope that was made from the former purpose follows the new one.
  const isOwn = typeof keptScope === "string" && keptScope !== `${former}:${key}`;
  const scope = named.scope ?? (isOwn ? keptScope : `${usecase}:${key}`);
  return { usecase, scope };
}

/** Returns the key. Throws E305, wrong usage, for a key that is not in kebab-case. */
export function requireKebabCase(what: string, key: string): string {
  if (key.length <= 128 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(key)) return key;
  throw usageError(`${what} "${key}" must be in kebab-case, e.g. "${kebabCase(key) || "intake"}"`);
}
