import type { ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../record-columns.ts";
import { useEditor } from "./use-editor.tsx";
import { useNotices } from "./use-notices.tsx";
import { usePlatform } from "./use-platform.tsx";

export interface RecordActions {
  edit(record: Resource): void;
  create(): void;
}

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

/** Changing records: in the user's editor, guarded by the version. */
export function useRecordActions(type: ObjectType, onChanged: () => void): RecordActions {
  const { client, session } = usePlatform();
  const { say, sayFailure } = useNotices();
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
  };
}
