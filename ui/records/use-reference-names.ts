import { useCallback } from "react";
import type { Client } from "#client/index.ts";
import { recordName, type RecordNameOf } from "../kit/data-fields/record-columns.ts";
import type { RecordReference } from "./record-references.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useGatheredNames, type NamesById } from "../kit/state/use-gathered-names.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useSettled } from "../kit/state/use-settled.ts";

/** Records that are asked for their names at once, of so many types. */
const namedRecords = 100;
const namedTypes = 8;
/** Records that are only passed on the way through the list are not asked about. */
const settledMs = 150;

async function namesOf(
  client: Client,
  tenantId: string | undefined,
  references: readonly RecordReference[],
  signal: AbortSignal,
): Promise<NamesById> {
  const types = [...new Set(references.map(({ objectType }) => objectType))].slice(0, namedTypes);
  const asked = types.map(async (objectType) => {
    const of = references.filter((each) => each.objectType === objectType);
    const ids = of.map(({ id }) => id).slice(0, namedRecords);
    const records = client.useResources(objectType, { tenantId });
    const where = { id: { $in: ids } };
    const { items } = await records.list({ where, limit: ids.length, signal });
    return items.map((record) => [record.id, recordName(record)] as const);
  });
  // A type that can't be read, or is gone, leaves its records with their ids.
  const answers = await Promise.allSettled(asked);
  signal.throwIfAborted();
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/**
 * What the records are called that others refer to; nothing for one that is not known yet. A name
 * that was learnt stands while the next ones are asked for.
 */
export function useReferenceNames(references: readonly RecordReference[]): RecordNameOf {
  const { tenantId } = usePlatform();
  const key = JSON.stringify(references.map(({ objectType, id }) => [objectType, id]));
  const isSettled = useSettled(key, settledMs) === key;
  const { value } = useAnswer(
    ["resources.names", key],
    (client, signal) => namesOf(client, tenantId, references, signal),
    { enabled: tenantId !== undefined && references.length > 0 && isSettled },
  );
  const known = useGatheredNames(value);
  return useCallback((id) => known.get(id), [known]);
}
