import type { Client } from "#client/surface.ts";
import type { ListOptions } from "#client/options.ts";
import { catalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import { shortText } from "#lib/text/short.ts";

const maximumStoredTypes = 10_000;

/** The types of a workspace, and whether its platform publishes several in one request. */
export interface StoredTypes {
  readonly types: readonly ObjectType[];
  readonly atomicBatch: boolean;
}

/** Every stored type of the workspace in ID order. Throws E203 for a foreign type. */
export async function storedTypes(client: Client, signal: AbortSignal): Promise<StoredTypes> {
  const [{ pagesOf }, { markerFault }] = await Promise.all([
    import("#client/pages.ts"),
    import("#client/records/workspace-marker.ts"),
  ]);
  const types: ObjectType[] = [];
  let atomicBatch = false;
  const list = ({ page, cursor, limit, signal: given }: ListOptions) =>
    client.objectTypes.list({ query: { page, cursor, limit }, signal: given });
  for await (const page of pagesOf(list, { pageSize: maximumPageLimit, signal })) {
    for (const type of page.items) {
      const fault = markerFault(type, client.tenantId ?? "");
      if (fault === undefined) continue;
      const details = `the Object Type ${shortText(type.slug, 255)} ${fault}`;
      throw catalogError("E203", { details });
    }
    types.push(...page.items);
    atomicBatch = page.atomicBatch === true;
    if (types.length > maximumStoredTypes) {
      const details = `the workspace has more than ${maximumStoredTypes} Object Types`;
      throw catalogError("E203", { details });
    }
  }
  return { types, atomicBatch };
}

/** The workspace in either option. */
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
