import { Part } from "../kit/state/part.ts";
import { Names, type NameRequest, type NamesById } from "../shell/platform/names.ts";
import { recordName } from "../kit/data-fields/record-columns.ts";
import { knownType } from "../shell/platform/use-object-types.ts";
import type { Platform } from "../shell/platform/use-platform.ts";
import type { RecordReference } from "./record-references.ts";

const namedRecords = 100;
const namedTypes = 8;

/** The names of referenced records by their ids. */
export const referenceNamesPart = new Part<Names<RecordReference>>("names of records");

/** The names of records, or their ids where they can't be read. */
export async function requestNames(
  platform: Platform,
  {
    client,
    tenantId,
    wanted,
    signal,
  }: Omit<NameRequest<RecordReference>, "isRefresh" | "tenantId"> & {
    readonly tenantId: string | undefined;
  },
): Promise<NamesById> {
  const byType = [...Map.groupBy(wanted, ({ objectType }) => objectType)];
  const requests = byType.slice(0, namedTypes).map(async ([objectType, group]) => {
    const ids = group.map(({ id }) => id).slice(0, namedRecords);
    const records = client.useResources(objectType, { tenantId });
    const { items } = await records.list({
      where: { id: { $in: ids } },
      limit: ids.length,
      signal,
    });
    const type = knownType(platform, objectType);
    return items.map((record) => [record.id, recordName(record, type)] as const);
  });
  // If a type or a record can't be read, the id is its name.
  const answers = await Promise.allSettled(requests);
  signal.throwIfAborted();
  const names = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return [...wanted.map(({ id }) => [id, id] as const), ...names];
}

export function openReferenceNames(platform: Platform): Names<RecordReference> {
  return new Names(platform, (request) => requestNames(platform, request));
}
