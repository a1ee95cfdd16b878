import type { ObjectType } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";

/** The published Object Types of the open workspace, by name, with their stored record counts. */
export function useObjectTypes(): LiveAnswer<readonly ObjectType[]> {
  return useAnswer(
    ["objectTypes.schema"],
    async (client, signal, tenantId) => {
      const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
      return objectTypes.toSorted((a, b) => a.slug.localeCompare(b.slug));
    },
    { shown: true },
  );
}
