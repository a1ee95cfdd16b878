import { usageError } from "#cli/errors.ts";
import { isJsonObject } from "#lib/json/value.ts";

export interface Stage {
  readonly id: string;
  readonly display_name: string;
  readonly prompt?: string;
}

/** The stages of a new workflow for which none is given. */
export const standardStages: readonly Stage[] = [{ id: "chat", display_name: "Chat" }];

/** Stages as `id` or `id:Display Name`. Throws E305, wrong usage. */
export function givenStages(options: readonly string[]): Stage[] {
  const stages = new Map<string, Stage>();
  for (const text of options) {
    const [id = "", ...rest] = text.split(":");
    const name = rest.join(":").trim();
    requireStageId("--stage", id);
    if (stages.has(id)) throw usageError(`--stage ${id} is given twice`);
    stages.set(id, { id, display_name: name === "" ? id : name });
  }
  return [...stages.values()];
}

/** The stages of a stored workflow; `undefined` where it has none. */
export function storedStages(stored: unknown): Stage[] | undefined {
  const stages = Array.isArray(stored) ? stored.filter(isStage) : [];
  return stages.length === 0 ? undefined : stages;
}

function isStage(value: unknown): value is Stage {
  return isJsonObject(value) && typeof value["id"] === "string";
}

/** The stages with their prompts, `stage=prompt`. Throws E305, wrong usage. */
export function withPrompts(of: readonly Stage[], prompts: readonly string[]): Stage[] {
  const stages = new Map(of.map((stage) => [stage.id, stage]));
  for (const [id, prompt] of pairs("--stage-prompt", prompts)) {
    const stage = stages.get(id);
    if (stage === undefined) throw usageError(`--stage-prompt: there is no stage "${id}"`);
    stages.set(id, { ...stage, prompt });
  }
  return [...stages.values()];
}

/** Checks the form of `stage=prompt` and `KEY=stage-id` alone. Throws E305, wrong usage. */
export function requirePairs(prompts: readonly string[], variables: readonly string[]): void {
  pairs("--stage-prompt", prompts);
  for (const name of pairs("--stage-env", variables).keys()) requireVariable("--stage-env", name);
}

/** `KEY=stage-id`, each a variable with the id of a stage. Throws E305, wrong usage. */
export function stageVariables(
  options: readonly string[],
  stages: readonly Stage[],
): Record<string, string> {
  const variables = pairs("--stage-env", options);
  for (const [name, id] of variables) {
    requireVariable("--stage-env", name);
    if (stages.every((stage) => stage.id !== id)) {
      throw usageError(`--stage-env ${name}: there is no stage "${id}"`);
    }
  }
  return Object.fromEntries(variables);
}

export function requireVariable(flag: string, name: string): void {
  if (/^[A-Z_][A-Z0-9_]*$/.test(name)) return;
  throw usageError(`${flag}: "${name}" is not the name of a variable (A to Z, 0 to 9 and _)`);
}

function requireStageId(flag: string, id: string): void {
  if (/^[\w-]{1,128}$/.test(id)) return;
  throw usageError(`${flag} "${id}" is not an id: letters, digits, - and _`);
}

function pairs(flag: string, options: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of options) {
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(at, 0)).trim();
    const value = text.slice(at + 1).trim();
    if (at < 1 || name === "" || value === "") {
      throw usageError(`${flag} "${text}" is not a pair with "="`);
    }
    if (found.has(name)) throw usageError(`${flag} ${name} is given twice`);
    found.set(name, value);
  }
  return found;
}
