import type { PropertyDefinition } from "#client/index.ts";
import { filledText, isJsonObject } from "#lib/json-value.ts";
import { ownMember } from "#lib/own-member.ts";

/** A property as any deployment may describe it: only its type is sure. */
export type AnyProperty = PropertyDefinition | { readonly type: string; [name: string]: unknown };

export function isProperty(value: unknown): value is AnyProperty {
  return isJsonObject(value) && typeof value["type"] === "string";
}

/** A keyword's text, e.g. `displayName` or `targetObjectType`; nothing where it is no text or empty. */
export function textIn(property: AnyProperty, name: string): string | undefined {
  return filledText(ownMember(property, name));
}

/** What the items of a list are, where the definition says so. */
export function itemsOf(property: AnyProperty): AnyProperty | undefined {
  const items = property.type === "array" ? ownMember(property, "items") : undefined;
  return isProperty(items) ? items : undefined;
}

/** The Object Type of the records that a property refers to, by itself or by the items of its list. */
export function targetOf(property: AnyProperty): string | undefined {
  const items = itemsOf(property);
  return (
    textIn(property, "targetObjectType") ??
    (items === undefined ? undefined : textIn(items, "targetObjectType"))
  );
}
