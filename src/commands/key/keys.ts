import { textOption } from "#cli/command.ts";
import type { ServiceKey } from "#contract/keys.ts";
import { canonicalUuid } from "#lib/uuid.ts";

/** Arguments and answers that the `key` commands share. */

export const keyArgument = { name: "key", description: "ID of the key; `svc key list`" } as const;

export const roleOptionText = textOption(
  "id",
  "A role of the workspace instead; see `svc user roles`",
);

export function keyIdOf(text: string): string {
  return canonicalUuid(text) ?? text;
}

export function keyRole({ role, roleName }: ServiceKey): string {
  return roleName ?? role ?? "";
}
