import type { ObjectType } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";

/** Counts are kept by the platform, so that asking for them costs little. */
const refreshMs = 10_000;

/** The published Object Types of the open workspace, by name, with their record counts. */
export function useObjectTypes(): LiveAnswer<readonly ObjectType[]> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["objectTypes.schema"],
    async (client, signal) => {
      const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
      return objectTypes.toSorted((a, b) => a.slug.localeCompare(b.slug));
    },
    { refreshMs, enabled: tenantId !== undefined },
  );
}
