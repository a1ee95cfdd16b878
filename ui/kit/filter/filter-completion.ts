import { ownMember } from "#lib/own-member.ts";
import type { Completion } from "../input/prompt.ts";
import { systemProperties, type Properties } from "./filter-language.ts";

const maximumChoices = 40;

function beginningWith(names: readonly string[], typed: string): string[] {
  const prefix = typed.toLowerCase();
  return names
    .filter((name) => name !== typed && name.toLowerCase().startsWith(prefix))
    .slice(0, maximumChoices);
}

/** The field names, or the values of an enum or boolean field, that complete the typed text. */
export function completeFilter(
  before: string,
  properties: Properties,
  others: Properties = systemProperties,
): Completion | undefined {
  if (before.trim() === "" || before.trimStart().startsWith("{")) return undefined;
  const [, name = "", typed] = /(?:^|\s)-?(?:([\w.]+)(?:[:=]|!=))?([\w.-]*)$/.exec(before) ?? [];
  if (typed === undefined) return undefined;
  const isField = name === "";
  const property = ownMember(properties, name);
  const values = property?.enum ?? (property?.type === "boolean" ? ["true", "false"] : []);
  const names = isField ? [...Object.keys(properties), ...Object.keys(others)] : values.map(String);
  const prefix = isField ? typed.replace(/^-/, "") : typed;
  const choices = beginningWith(names, prefix);
  if (choices.length === 0) return undefined;
  return { choices, replaces: prefix.length, ending: isField ? ":" : " " };
}
