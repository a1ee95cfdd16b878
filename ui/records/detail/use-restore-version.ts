import type { ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { useReportedWork } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import { useRecordClient } from "../use-resources.ts";
import { differencesBetween, differenceWords } from "./record-history.ts";

/** Returns a function that gives a record the state of an earlier version, after a question. */
export function useRestoreVersion(type: ObjectType, record: Resource): (version: number) => void {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const overlays = useOverlays();
  const commands = useCommandLines();
  const records = useRecordClient(type.slug);
  const note = useChangeLog();
  const run = useReportedWork(refresh);
  const name = recordName(record, type);
  const { id, data, version: current } = record;

  const restore = async (version: number) => {
    const restored = await client?.resources.restore({
      tenantId,
      params: { objectType: type.slug, id },
      headers: { "if-match": `"${current}"` },
      body: { version },
    });
    if (restored === undefined) return undefined;
    note(`restore version ${version} of ${name}`, [writeOf(type, restored, "changed")]);
    return `${name} is as in version ${version} again, as version ${restored.version}`;
  };

  return (version) => {
    if (records === undefined) return;
    const title = `Restore version ${version} of ${name}`;
    overlays.wait({
      title,
      words: "comparing it with the record as it is now",
      ask: async (signal) => {
        const earlier = await records.get(id, { version, signal });
        const differences = differencesBetween(data, earlier.data);
        return () =>
          overlays.confirm({
            title,
            effects: [
              ...differences.map((difference) => differenceWords([difference])),
              ...(differences.length === 0 ? [differenceWords([])] : []),
              `it becomes version ${current + 1}, and version ${current} stays in its history`,
            ],
            command: commands.inWorkspace(["resources", "restore", type.slug, id], { version }),
            onConfirm: () => run(() => restore(version)),
          });
      },
    });
  };
}
