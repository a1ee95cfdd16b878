import { ownMember } from "#lib/own-member.ts";
import type { Completion } from "../input/prompt.ts";
import { systemProperties, type Properties } from "./filter-language.ts";

const maximumChoices = 40;

function beginningWith(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(wanted)).slice(0, maximumChoices);
}

/** Fields, or the values of a field that has a list of them, that the text before the cursor begins. */
export function completeFilter(
  before: string,
  properties: Properties,
  beside: Properties = systemProperties,
): Completion | undefined {
  if (before.trim() === "" || before.trimStart().startsWith("{")) return undefined;
  const [, name = "", typed] = /(?:^|\s)-?(?:([\w.]+)(?:[:=]|!=))?([\w.-]*)$/.exec(before) ?? [];
  if (typed === undefined) return undefined;
  if (name === "") {
    const names = [...Object.keys(properties), ...Object.keys(beside)];
    const bare = typed.replace(/^-/, "");
    const choices = beginningWith(names, bare).filter((one) => one !== bare);
    return choices.length === 0 ? undefined : { choices, replaces: bare.length, ending: ":" };
  }
  const property = ownMember(properties, name);
  const values = property?.enum ?? (property?.type === "boolean" ? ["true", "false"] : []);
  const choices = beginningWith(values.map(String), typed).filter((one) => one !== typed);
  return choices.length === 0 ? undefined : { choices, replaces: typed.length, ending: " " };
}
