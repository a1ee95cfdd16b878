import type { PropertyDefinition } from "#client/index.ts";
import { filledText, isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** A property as any deployment may define it: only its type is certain. */
export type AnyProperty = PropertyDefinition | { readonly type: string; [name: string]: unknown };

export function isProperty(value: unknown): value is AnyProperty {
  return isJsonObject(value) && typeof value["type"] === "string";
}

/** The text of a keyword such as `displayName`; `undefined` if it is empty or not a text. */
export function textIn(property: AnyProperty, name: string): string | undefined {
  return filledText(ownMember(property, name));
}

export function itemsOf(property: AnyProperty): AnyProperty | undefined {
  const items = property.type === "array" ? ownMember(property, "items") : undefined;
  return isProperty(items) ? items : undefined;
}

export function targetOf(property: AnyProperty): string | undefined {
  const items = itemsOf(property);
  return (
    textIn(property, "targetObjectType") ??
    (items === undefined ? undefined : textIn(items, "targetObjectType"))
  );
}
