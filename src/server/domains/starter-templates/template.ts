import type { ObjectTypeDraft } from "#contract/object-types.ts";

/** A starter template as its file has it. */
export interface Template {
  readonly key: string;
  readonly displayName: string;
  readonly description: string;
  readonly objectTypes: readonly ObjectTypeDraft[];
}
