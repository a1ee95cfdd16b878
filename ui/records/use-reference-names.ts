import { useCallback } from "react";
import type { Client } from "#client/index.ts";
import { recordName, type RecordNameOf } from "../kit/data-fields/record-columns.ts";
import type { RecordReference } from "./record-references.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useGatheredNames, type NamesById } from "../kit/state/use-gathered-names.ts";
import { useSettled } from "../kit/state/use-settled.ts";

const namedRecords = 100;
const namedTypes = 8;
/** While the user scrolls through the list, no names are asked. */
const settledMs = 150;

async function namesOf(
  client: Client,
  tenantId: string | undefined,
  references: readonly RecordReference[],
  signal: AbortSignal,
): Promise<NamesById> {
  const byType = [...Map.groupBy(references, ({ objectType }) => objectType)];
  const requests = byType.slice(0, namedTypes).map(async ([objectType, group]) => {
    const ids = group.map(({ id }) => id).slice(0, namedRecords);
    const records = client.useResources(objectType, { tenantId });
    const { items } = await records.list({
      where: { id: { $in: ids } },
      limit: ids.length,
      signal,
    });
    return items.map((record) => [record.id, recordName(record)] as const);
  });
  // If a type or a record can't be read, the id is its name.
  const answers = await Promise.allSettled(requests);
  signal.throwIfAborted();
  const names = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return [...references.map(({ id }) => [id, id] as const), ...names];
}

/** The names of referenced records. Known names stay while others are loading. */
export function useReferenceNames(references: readonly RecordReference[]): RecordNameOf {
  const key = JSON.stringify(references.map(({ objectType, id }) => [objectType, id]));
  const isSettled = useSettled(key, settledMs) === key;
  const { value } = useAnswer(
    ["resources.names", key],
    (client, signal, tenantId) => namesOf(client, tenantId, references, signal),
    { enabled: references.length > 0 && isSettled },
  );
  const known = useGatheredNames(value);
  return useCallback((id) => known.get(id), [known]);
}
