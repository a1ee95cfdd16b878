import type { ObjectType, Resource } from "#client/index.ts";
import { commandLine } from "../command-line.ts";
import { recordName } from "../record-columns.ts";
import { useEditor } from "./use-editor.tsx";
import { useNotices } from "./use-notices.tsx";
import { useOverlays } from "./use-overlays.tsx";
import { usePlatform } from "./use-platform.tsx";

export interface RecordActions {
  edit(record: Resource): void;
  create(): void;
  /** Asks, and deletes all of them. */
  remove(records: readonly Resource[]): void;
}

/** Records that a question names one by one. */
const namedRecords = 6;

/** What a new record begins with: required fields and those with a default. */
function template(type: ObjectType): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(type.properties).flatMap(([name, property]) => {
      const initial: unknown = "default" in property ? property.default : undefined;
      const required = "required" in property && property.required === true;
      return initial !== undefined || required ? [[name, initial ?? null]] : [];
    }),
  );
}

/** Changing records: in the user's editor, guarded by the version, and never deleted by a slip. */
export function useRecordActions(
  type: ObjectType,
  onChanged: () => void,
  onRemoved: () => void,
): RecordActions {
  const { client, session } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const editor = useEditor();
  const tenantId = session.workspace?.id;
  const records = client?.useResources(type.slug, { tenantId });

  const run = (work: () => Promise<string | undefined>) => {
    work()
      .then((words) => {
        if (words !== undefined) say("done", words);
      }, sayFailure)
      .finally(onChanged);
  };
  return {
    edit: (record) =>
      run(async () => {
        const data = await editor.editJson(record.data);
        if (data === undefined) return undefined;
        const saved = await records?.update(record.id, data, { version: record.version });
        return saved && `saved ${recordName(saved)} as version ${saved.version}`;
      }),
    create: () =>
      run(async () => {
        const data = await editor.editJson(template(type));
        if (data === undefined) return undefined;
        const created = await records?.create(data);
        return created && `created ${recordName(created)}`;
      }),
    remove: (chosen) => {
      const [only] = chosen;
      if (only === undefined) return;
      const what = chosen.length === 1 ? recordName(only) : `${chosen.length} records`;
      overlays.show({
        kind: "confirm",
        question: {
          title: `Delete ${what}`,
          effects: [
            ...chosen
              .slice(0, namedRecords)
              .map((record) => `${type.slug} ${recordName(record)}, version ${record.version}`),
            ...(chosen.length > namedRecords ? [`and ${chosen.length - namedRecords} more`] : []),
            "with their files; this can't be undone",
          ],
          command: commandLine(["resources", "delete", type.slug, only.id]),
          typed: type.slug,
          onConfirm: () =>
            run(async () => {
              for (const record of chosen) await records?.delete(record.id);
              onRemoved();
              return `deleted ${what}`;
            }),
        },
      });
    },
  };
}
