import type { ObjectType } from "#client/index.ts";
import { questionKey, useAnswer, type LiveAnswer } from "./use-answer.ts";
import type { Platform } from "./use-platform.ts";

const question = ["objectTypes.schema"];

/** The published Object Types of the open workspace, by name, with their stored record counts. */
export function useObjectTypes(): LiveAnswer<readonly ObjectType[]> {
  return useAnswer(
    question,
    async (client, signal, tenantId) => {
      const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
      return objectTypes.toSorted((a, b) => a.slug.localeCompare(b.slug));
    },
    { shown: true },
  );
}

/** An Object Type of the open workspace, if the types have been read. */
export function knownType({ cache, state }: Platform, slug: string): ObjectType | undefined {
  const { value } = cache.read<readonly ObjectType[]>(questionKey(state.get(), question));
  return value?.find((type) => type.slug === slug);
}
