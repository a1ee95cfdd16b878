import type { FormRequest } from "../../shell/forms/forms.ts";
import type { Resource } from "#client/index.ts";
import { recordSummary } from "../../kit/data-fields/record-columns.ts";
import { useNotices } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { knownType } from "../../shell/platform/use-object-types.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";

const offeredRecords = 100;

/** Offers the newest records of an Object Type in a form. */
export function useRecordPicker(): NonNullable<FormRequest["pickRecord"]> {
  const { client, tenantId } = usePlatform();
  const platform = usePlatformLink();
  const overlays = useOverlays();
  const { say } = useNotices();
  return (objectType, chosen, onPick) => {
    if (client === undefined) return;
    const title = `Choose a ${objectType}`;
    const offer = (records: readonly Resource[]) => {
      if (records.length === 0) return say("note", `there is no ${objectType} yet`);
      const type = knownType(platform, objectType);
      overlays.choose({
        title,
        placeholder: `one of the newest ${offeredRecords}; type another id in the field`,
        choices: records.map((record) => ({
          id: record.id,
          words: recordSummary(record, type) ?? record.id,
          isCurrent: chosen.has(record.id),
          note: record.id,
          choose: () => onPick(record.id),
        })),
      });
    };
    overlays.wait({
      title,
      words: `loading the newest ${offeredRecords}`,
      ask: async (signal) => {
        const records = client.useResources(objectType, { tenantId });
        const { items } = await records.list({ limit: offeredRecords, signal });
        return () => offer(items);
      },
    });
  };
}
