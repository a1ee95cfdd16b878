import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { rgbOf } from "./colour.ts";
import type { RoleColours } from "./palettes.ts";

const required = ["muted", "accent", "good", "attention", "danger"] as const;
const names: ReadonlySet<string> = new Set(["text", ...required]);

/**
 * The colours of a theme file: an object of `muted`, `accent`, `good`, `attention`, `danger`, and
 * perhaps `text`, each as `#rrggbb`. Returns the fault of another value as a text.
 */
export function readTheme(value: unknown): RoleColours | string {
  if (!isJsonObject(value)) return "it must be a JSON object of six colours";
  const unknown = Object.keys(value).find((name) => !names.has(name));
  if (unknown !== undefined) return `"${unknown}" is not a role: ${[...names].join(", ")}`;
  const colourOf = (name: string): string | undefined => {
    const colour = ownMember(value, name);
    return typeof colour === "string" && rgbOf(colour) !== undefined ? colour : undefined;
  };
  const invalid = [...names].find(
    (name) => colourOf(name) === undefined && (name !== "text" || "text" in value),
  );
  const [muted, accent, good, attention, danger] = required.map(colourOf);
  if (
    invalid !== undefined ||
    muted === undefined ||
    accent === undefined ||
    good === undefined ||
    attention === undefined ||
    danger === undefined
  ) {
    return `${invalid ?? "a role"} must be a colour such as "#7cc4ff"`;
  }
  const text = colourOf("text");
  return { ...given({ text }), muted, accent, good, attention, danger };
}
