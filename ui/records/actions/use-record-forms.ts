import { useCommandLines } from "../../shell/use-copy.ts";
import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { sameJson } from "#lib/json/same.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { FormRequest, FormTarget } from "../../shell/forms/forms.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useRecordClient } from "../use-resources.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import type { CheckedShape } from "./check-form-data.ts";
import { recordFields } from "./form-fields-of-type.ts";
import { useRecordPicker } from "./use-record-picker.ts";

/** The validation of a type's data. The schema library loads with the first form. */
export async function loadCheck(shape: CheckedShape, isCreation: boolean) {
  const { dataCheck } = await import("./check-form-data.ts");
  return dataCheck(shape, isCreation);
}

/** The parts of a type that its form is made from. */
function shapeOf({ properties, linkTypes = [], writeRoles }: ObjectType) {
  return { properties, linkTypes, writeRoles };
}

/** Called after a change, with the record if it is a new one. */
export type RecordChanged = (created?: Resource) => void;

/** Returns a function that notes the write of one record, named `verb NAME`, and gives the name. */
function useWriteNote(type: ObjectType) {
  const note = useChangeLog();
  return (verb: string, record: Resource, kind: "made" | "changed"): string => {
    const name = recordName(record, type);
    note(`${verb} ${name}`, [writeOf(type, record, kind)]);
    return name;
  };
}

/** The form's subject by the type as it is now; `undefined` if the type has not changed. */
function useRenewal(type: ObjectType) {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const role = useRole();
  return (data: JsonObject, isCreation: boolean) => async (mine: JsonObject) => {
    const { objectTypes } = (await client?.objectTypes.schema({ tenantId })) ?? {};
    const current = objectTypes?.find(({ slug }) => slug === type.slug);
    if (current === undefined || sameJson(shapeOf(current), shapeOf(type))) return undefined;
    refresh();
    const fields = recordFields(current, { ...data, ...mine }, role);
    return { fields, data, check: await loadCheck(current, isCreation) };
  };
}

/** Returns a function that makes the save of a form write one property and leave the others. */
function useFieldSave(type: ObjectType, onChanged: RecordChanged) {
  const records = useRecordClient(type.slug);
  const commands = useCommandLines();
  const note = useWriteNote(type);
  return (request: FormRequest, { id }: Resource, name: string): FormRequest | undefined => {
    if (records === undefined) return undefined;
    const valueIn = (data: JsonObject) => ({ [name]: ownMember(data, name) ?? null });
    return {
      ...request,
      save: async (data, { version }) => {
        const saved = await records.patch(id, valueIn(data), { version });
        const shown = note("edit", saved, "changed");
        onChanged();
        return `saved ${shown} as version ${saved.version}`;
      },
      command: (data, version) =>
        commands.inWorkspace(["resources", "patch", type.slug, id], {
          data: JSON.stringify(valueIn(data)),
          version,
        }),
    };
  };
}

/** The forms that create and edit the records of one Object Type; `undefined` without a client. */
export function useRecordForms(type: ObjectType, onChanged: RecordChanged) {
  const records = useRecordClient(type.slug);
  const pickRecord = useRecordPicker();
  const commands = useCommandLines();
  const role = useRole();
  const note = useWriteNote(type);

  const renewedFor = useRenewal(type);
  const inField = useFieldSave(type, onChanged);

  const creation = (client: NonNullable<typeof records>, initial: JsonObject): FormTarget => ({
    save: async (data, { idempotencyKey }) => {
      const created = await client.create(data, { idempotencyKey });
      const name = note("create", created, "made");
      onChanged(created);
      return `created ${name}`;
    },
    renewed: renewedFor(initial, true),
    command: (data) =>
      commands.inWorkspace(["resources", "create", type.slug], { data: JSON.stringify(data) }),
  });

  const edit = async (record: Resource): Promise<FormRequest | undefined> => {
    if (records === undefined) return undefined;
    const fields = recordFields(type, record.data, role);
    return {
      title: `Edit ${recordName(record, type)}, version ${record.version}`,
      subject: { fields, data: record.data, check: await loadCheck(type, false) },
      version: record.version,
      pickRecord,
      save: async (data, { version }) => {
        const saved = await records.update(record.id, data, { version });
        const name = note("edit", saved, "changed");
        onChanged();
        return `saved ${name} as version ${saved.version}`;
      },
      current: async () => {
        const { version, data, updated_by: by } = await records.get(record.id);
        return { version, data, by };
      },
      renewed: renewedFor(record.data, false),
      recreate: creation(records, record.data),
      command: (data, version) =>
        commands.inWorkspace(["resources", "update", type.slug, record.id], {
          data: JSON.stringify(data),
          version,
        }),
    };
  };

  return {
    edit,
    /** The form of a record whose save writes one property and leaves the others. */
    editField: async (record: Resource, name: string): Promise<FormRequest | undefined> => {
      const request = await edit(record);
      return request && inField(request, record, name);
    },
    create: async (): Promise<FormRequest | undefined> => {
      if (records === undefined) return undefined;
      const fields = recordFields(type, {}, role);
      const data = initialData(fields);
      return {
        title: `Create ${type.slug}`,
        subject: { fields, data, check: await loadCheck(type, true) },
        pickRecord,
        ...creation(records, data),
      };
    },
  };
}
