import { CatalogError } from "#contract/errors.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { mergePatched } from "#lib/json/merge-patch.ts";
import type { ClientCalls } from "../calls.ts";
import { mayLackRoute } from "../failures.ts";
import type { CallOptions } from "../options.ts";

const attempts = 5;

/**
 * Patches a record of a platform that lacks the route: reads it, merges, and replaces its data in
 * the version that was read. Throws `failure`, the error of the route, where that is not its cause.
 */
export async function updatedInstead(
  calls: ClientCalls["resources"],
  input: CallOptions & { readonly params: { readonly objectType: string; readonly id: string } },
  patch: { readonly data: JsonObject; readonly version: number | undefined },
  failure: unknown,
): Promise<Resource> {
  if (!(failure instanceof CatalogError) || !mayLackRoute(failure)) throw failure;
  for (let attempt = 1; ; attempt += 1) {
    const current = await calls.get(input);
    const version = patch.version ?? current.version;
    const data = mergePatched(current.data, patch.data);
    try {
      return await calls.update({ ...input, body: { data, version } });
    } catch (error) {
      const isOvertaken = error instanceof CatalogError && error.code === "E205";
      if (!isOvertaken || patch.version !== undefined || attempt === attempts) throw error;
    }
  }
}
