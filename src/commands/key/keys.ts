import { canonicalUuid } from "#lib/uuid.ts";

export const keyArgument = { name: "key", description: "ID of the key; `svc key list`" } as const;

export function keyIdOf(text: string): string {
  return canonicalUuid(text) ?? text;
}
