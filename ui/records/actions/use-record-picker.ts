import type { FormRequest } from "../../shell/forms/use-forms.tsx";
import type { Resource } from "#client/index.ts";
import { tellingWords } from "../../kit/data-fields/record-columns.ts";
import { useNotices } from "../../shell/use-notices.tsx";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";

/** Records that are offered; others are reached by typing their id. */
const offeredRecords = 100;

/** Offers the newest records of an Object Type in a form. */
export function useRecordPicker(): NonNullable<FormRequest["pickRecord"]> {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say } = useNotices();
  return (objectType, chosen, onPick) => {
    if (client === undefined) return;
    const title = `Choose a ${objectType}`;
    const offer = (records: readonly Resource[]) => {
      if (records.length === 0) {
        say("note", `there is no ${objectType} yet`);
        return;
      }
      overlays.show({
        kind: "choose",
        title,
        placeholder: `one of the newest ${offeredRecords}; type the id of another in its field`,
        choices: records.map((record) => ({
          id: record.id,
          words: `${chosen.has(record.id) ? "✓ " : ""}${tellingWords(record) ?? record.id}`,
          note: record.id,
          choose: () => onPick(record.id),
        })),
      });
    };
    overlays.show({
      kind: "wait",
      pending: {
        title,
        words: `asking for the newest ${offeredRecords}`,
        ask: async (signal) => {
          const records = client.useResources(objectType, { tenantId });
          const { items } = await records.list({ limit: offeredRecords, signal });
          return () => offer(items);
        },
      },
    });
  };
}
