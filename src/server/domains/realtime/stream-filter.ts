import { given } from "#lib/given.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { whereOf } from "../../kit/lists/parameters.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { compileFilter, readableBy, type FeedFilter } from "../feed/service.ts";
import type { ObjectTypeService, ReadableType } from "../object-types/service.ts";

export interface StreamQuery {
  readonly kinds?: string | undefined;
  readonly types?: string | undefined;
  readonly where?: string | undefined;
  readonly full?: boolean | undefined;
}

/** The filter in one form, by which a granted stream is compared. */
export function filterText({ kinds, types, where, full = false }: StreamQuery): string {
  return JSON.stringify([kinds ?? null, types ?? null, where ?? null, full]);
}

/** A compiled filter, and what of its types it depends on. */
export interface StreamFilter {
  readonly filter: FeedFilter;
  /** Changes when an index that the filter uses is added or removed, or a type is deleted. */
  readonly indexes: string;
}

/** Refuses 422 for a type or a property that the caller may not read, as for an unknown one. */
export async function streamFilter(
  objectTypes: Pick<ObjectTypeService, "find">,
  workspace: WorkspaceScope,
  { kinds, types, where }: StreamQuery,
  place: "query" | "body",
): Promise<StreamFilter> {
  const slugs = types?.split(",");
  const readable = await readableTypes(objectTypes, workspace, slugs ?? []);
  const unknown = slugs?.find((slug) => !readable.some((type) => type.slug === slug));
  if (unknown !== undefined) {
    throw invalid([faultAt(place, ["types"], `"${unknown}" is not an Object Type`)]);
  }
  const input = given({
    kinds: kinds?.split(","),
    types: slugs,
    where: where === undefined ? undefined : whereOf(where),
  });
  const filter = compileFilter(input, readable, place === "query" ? ["query"] : []);
  return { filter, indexes: indexesOf(readable, filter) };
}

/** {@link StreamFilter.indexes} as of now. */
export async function currentIndexes(
  objectTypes: Pick<ObjectTypeService, "find">,
  workspace: WorkspaceScope,
  filter: FeedFilter,
): Promise<string> {
  const types = await readableTypes(objectTypes, workspace, [...(filter.types ?? [])]);
  return indexesOf(types, filter);
}

async function readableTypes(
  objectTypes: Pick<ObjectTypeService, "find">,
  workspace: WorkspaceScope,
  slugs: readonly string[],
): Promise<ReadableType[]> {
  const found = await Promise.all(slugs.map(async (slug) => objectTypes.find(workspace.id, slug)));
  return found.flatMap((type) => (type && readableBy({ role: workspace }, type)) ?? []);
}

function indexesOf(types: readonly ReadableType[], { names }: FeedFilter): string {
  return JSON.stringify(
    types.map(({ slug, properties }) => [
      slug,
      [...names].map((name) => {
        const { type, indexed, unique } = ownMember(properties, name) ?? {};
        return [type, indexed === true || unique === true];
      }),
    ]),
  );
}
