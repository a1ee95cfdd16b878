import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types.ts";
import { maximumPageLimit } from "#contract/limits.ts";

const maximumStoredTypes = 10_000;

/** What a workspace has, and whether its platform publishes types together. */
export interface StoredTypes {
  readonly types: readonly ObjectType[];
  readonly atomicBatch: boolean;
}

/** Every stored type of the workspace, page after page in ID order. */
export async function storedTypes(client: Client, signal: AbortSignal): Promise<StoredTypes> {
  const types: ObjectType[] = [];
  let atomicBatch = false;
  let cursor: string | undefined;
  do {
    const page = await client.objectTypes.list({
      query: { limit: maximumPageLimit, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    });
    types.push(...page.items);
    atomicBatch = page.atomicBatch === true;
    cursor = page.hasNextPage === true ? (page.nextCursor ?? undefined) : undefined;
    if (cursor !== undefined && types.length >= maximumStoredTypes) {
      throw catalogError("E203", {
        details: `the workspace has more than ${maximumStoredTypes} Object Types`,
      });
    }
  } while (cursor !== undefined);
  return { types, atomicBatch };
}

/** The workspace that one of both options names. */
export function workspaceOf(options: {
  readonly "tenant-id"?: string;
  readonly "tenant-key"?: string;
}): string | undefined {
  return options["tenant-id"] ?? options["tenant-key"];
}

export const tenantKeyOption = {
  type: "string",
  placeholder: "slug",
  description: "Workspace by slug, instead of --tenant-id",
  excludes: ["tenant-id"],
} as const;
