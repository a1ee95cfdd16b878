import { CatalogError } from "#contract/errors.ts";
import type { BatchAnswer, BatchOperation } from "#contract/resources/batch.ts";
import type { ClientCalls } from "../calls.ts";
import { mayLackRoute } from "../failures.ts";
import type { CallOptions } from "../options.ts";

type Item<Op extends BatchOperation["op"]> = Extract<BatchOperation, { readonly op: Op }>;

/**
 * Sends a batch of one kind to the route of that kind, for a platform that lacks the common one.
 * Throws `failure`, the error of the common route, where that is not its cause, and for a batch of
 * several kinds or of patches and upserts: separate requests would not be one batch.
 */
export async function batchOfOneKind(
  calls: ClientCalls["resources"],
  input: CallOptions & { readonly params: { readonly objectType: string } },
  batch: { readonly items: readonly BatchOperation[]; readonly atomic?: true },
  failure: unknown,
): Promise<BatchAnswer> {
  if (!(failure instanceof CatalogError) || !mayLackRoute(failure)) throw failure;
  const { items, ...atomic } = batch;
  if (items.every((item): item is Item<"create"> => item.op === "create")) {
    const data = items.map((item) => ({ data: item.data }));
    return await calls.batchCreate({ ...input, body: { items: data, ...atomic } });
  }
  if (items.every((item): item is Item<"update"> => item.op === "update")) {
    const changes = items.map(({ id, data, version }) => ({ id, data, version }));
    return await calls.batchUpdate({ ...input, body: { items: changes, ...atomic } });
  }
  if (items.every((item): item is Item<"delete"> => item.op === "delete")) {
    const isGuarded = items.some(({ version }) => version !== undefined);
    const body = isGuarded
      ? { items: items.map(({ op: _op, ...item }) => item) }
      : { ids: items.map(({ id }) => id) };
    return await calls.batchDelete({ ...input, body: { ...body, ...atomic } });
  }
  throw failure;
}
