import { useCommandLines } from "../../shell/use-copy.ts";
import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { sameJson } from "#lib/json/same.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { FormRequest, FormTarget } from "../../shell/forms/forms.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useRecordClient } from "../use-resources.ts";
import type { CheckedShape } from "./check-form-data.ts";
import { recordFields } from "./form-fields-of-type.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { recordKeys } from "../keys.ts";
import { useRecordPicker } from "./use-record-picker.ts";

const longTextHint = `${keyName(recordKeys.editInEditor)} edits them`;

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

/** The forms that create and edit the records of one Object Type; `undefined` without a client. */
export function useRecordForms(type: ObjectType, onChanged: RecordChanged) {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const records = useRecordClient(type.slug);
  const pickRecord = useRecordPicker();
  const commands = useCommandLines();
  const role = useRole();

  /** The form's subject by the type as it is now; `undefined` if the type has not changed. */
  const renewedFor = (data: JsonObject, isCreation: boolean) => async (mine: JsonObject) => {
    const { objectTypes } = (await client?.objectTypes.schema({ tenantId })) ?? {};
    const current = objectTypes?.find(({ slug }) => slug === type.slug);
    if (current === undefined || sameJson(shapeOf(current), shapeOf(type))) return undefined;
    refresh();
    const fields = recordFields(current, { ...data, ...mine }, role);
    return { fields, data, check: await loadCheck(current, isCreation), longTextHint };
  };

  const creation = (client: NonNullable<typeof records>, initial: JsonObject): FormTarget => ({
    save: async (data, { idempotencyKey }) => {
      const created = await client.create(data, { idempotencyKey });
      onChanged(created);
      return `created ${recordName(created, type)}`;
    },
    renewed: renewedFor(initial, true),
    command: (data) =>
      commands.inWorkspace(["resources", "create", type.slug], { data: JSON.stringify(data) }),
  });

  return {
    edit: async (record: Resource): Promise<FormRequest | undefined> => {
      if (records === undefined) return undefined;
      const fields = recordFields(type, record.data, role);
      return {
        title: `Edit ${recordName(record, type)}, version ${record.version}`,
        subject: { fields, data: record.data, check: await loadCheck(type, false), longTextHint },
        version: record.version,
        pickRecord,
        save: async (data, { version }) => {
          const saved = await records.update(record.id, data, { version });
          onChanged();
          return `saved ${recordName(saved, type)} as version ${saved.version}`;
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
