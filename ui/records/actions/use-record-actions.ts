import { useRecordPicker } from "./use-record-picker.ts";
import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { sameJson } from "#lib/same-json.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { parameterFields, recordFields } from "./record-fields.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { keyName } from "../../kit/keys/key-table.ts";
import { actionsOf, type RecordAction } from "./record-action.ts";
import { withoutFiles } from "../detail/record-files.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { useEditor } from "../../shell/use-editor.ts";
import { outcomeOf } from "../../shell/forms/use-form-session.ts";
import { useForms, type FormRequest, type FormTarget } from "../../shell/forms/use-forms.tsx";
import { useNotices } from "../../shell/use-notices.tsx";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useRole } from "../../shell/platform/use-workspaces.ts";

export interface RecordActions {
  /** In a form made from the type. */
  edit(record: Resource): void;
  create(): void;
  /** In the user's own editor, as JSON. */
  editInEditor(record: Resource): void;
  createInEditor(): void;
  /** Asks for one of the type's actions, and for its parameters. */
  act(record: Resource): void;
}

/** The rules of a type; the schema library comes with them, when the first form is opened. */
async function rulesOf(
  shape: { properties: Readonly<Record<string, unknown>>; linkTypes?: ObjectType["linkTypes"] },
  isCreation: boolean,
): Promise<FormRequest["subject"]["check"]> {
  const { dataCheck } = await import("./record-check.ts");
  return dataCheck(shape, isCreation);
}

/** What the form of a type's records is made from. */
function shapeOf({ properties, linkTypes = [] }: ObjectType) {
  return { properties, linkTypes };
}

/** Changing records: in forms or the user's editor, guarded by the version. */
export function useRecordActions(type: ObjectType, onChanged: () => void): RecordActions {
  const { client, tenantId, refresh } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const forms = useForms();
  const editor = useEditor();
  const role = useRole();
  const pickRecord = useRecordPicker();
  const records = client?.useResources(type.slug, { tenantId });

  const run = (work: () => Promise<string | undefined>) => {
    work()
      .then((words) => {
        if (words !== undefined) say("done", words);
      }, sayFailure)
      .finally(onChanged);
  };

  /** The form of a record with these data, by the type as it is now, where it was changed. */
  const renewedFor = (data: JsonObject, isCreation: boolean) => async (mine: JsonObject) => {
    const now = await client?.objectTypes.schema({ tenantId });
    const found = now?.objectTypes.find(({ slug }) => slug === type.slug);
    if (found === undefined || sameJson(shapeOf(found), shapeOf(type))) return undefined;
    refresh();
    const fields = recordFields(found, { ...data, ...mine });
    return { fields, data, check: await rulesOf(found, isCreation) };
  };

  const creation = (of: NonNullable<typeof records>, data: JsonObject): FormTarget => ({
    save: async (wanted, { idempotencyKey }) => {
      const created = await of.create(wanted, { idempotencyKey });
      onChanged();
      return `created ${recordName(created)}`;
    },
    renewed: renewedFor(data, true),
    command: (wanted) =>
      commandLine(["resources", "create", type.slug], { data: JSON.stringify(wanted) }),
  });

  const editRequest = async (record: Resource): Promise<FormRequest | undefined> => {
    if (records === undefined) return undefined;
    return {
      title: `Edit ${recordName(record)}, version ${record.version}`,
      subject: {
        fields: recordFields(type, record.data),
        data: record.data,
        check: await rulesOf(type, false),
      },
      version: record.version,
      pickRecord,
      save: async (data, { version }) => {
        const saved = await records.update(record.id, data, { version });
        onChanged();
        return `saved ${recordName(saved)} as version ${saved.version}`;
      },
      current: async () => {
        const { version, data, updated_by: by } = await records.get(record.id);
        return { version, data, by };
      },
      renewed: renewedFor(record.data, false),
      recreate: creation(records, record.data),
      command: (data, version) =>
        commandLine(["resources", "update", type.slug, record.id], {
          data: JSON.stringify(data),
          version,
        }),
    };
  };

  const createRequest = async (): Promise<FormRequest | undefined> => {
    if (records === undefined) return undefined;
    const fields = recordFields(type, {});
    const data = initialData(fields);
    return {
      title: `Create ${type.slug}`,
      subject: { fields, data, check: await rulesOf(type, true) },
      pickRecord,
      ...creation(records, data),
    };
  };

  const openForm = async (wanted: Promise<FormRequest | undefined>) => {
    const request = await wanted;
    if (request !== undefined) forms.open(request);
  };

  /** Saves what comes back from the editor; what can't be saved goes on in the form. */
  const throughEditor = async (
    wanted: Promise<FormRequest | undefined>,
    start: JsonObject,
    left?: Uint8Array,
  ): Promise<string | undefined> => {
    const edited = await editor.editJson(start, left);
    if (edited.kind === "nothing") return undefined;
    if (edited.kind === "unreadable") {
      overlays.show({
        kind: "confirm",
        question: {
          title: "Go on editing",
          effects: [
            `it can't be saved: ${edited.why}`,
            `${keyName("confirm")} opens it again, ${keyName("refuse")} gives it up`,
          ],
          onConfirm: () => run(() => throughEditor(wanted, start, edited.bytes)),
        },
      });
      return undefined;
    }
    const request = await wanted;
    if (request === undefined) return undefined;
    const { data } = edited;
    const { version } = request;
    try {
      return await request.save(data, { version, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      const fields = recordFields(type, { ...request.subject.data, ...data });
      const form = { ...request, subject: { ...request.subject, fields } };
      const outcome = await outcomeOf({ target: form, subject: form.subject, data }, failure);
      forms.open({ ...form, start: { mine: data, outcome } });
      return undefined;
    }
  };

  const template = () => {
    const fields = recordFields(type, {});
    const required = fields.filter((field) => field.isRequired).map(({ name }) => [name, null]);
    return { ...Object.fromEntries(required), ...initialData(fields) };
  };

  const execute = async (record: Resource, action: RecordAction) => {
    if (records === undefined) return;
    const save = async (parameters: JsonObject, idempotencyKey?: string) => {
      const { version } = record;
      try {
        const options = { version, idempotencyKey };
        const done = await records.execute(record.id, action.name, parameters, options);
        return `${action.words}: ${recordName(done)} is version ${done.version}`;
      } finally {
        // Also where it was refused: the next try is for the record as it is by now.
        onChanged();
      }
    };
    const path = `/v4/data/resources/${tenantId ?? ""}/${type.slug}/${record.id}/actions/${action.name}`;
    const command = (given: JsonObject) =>
      commandLine(["publicapi", "post", path], {
        data: JSON.stringify({ parameters: given, version: record.version }),
      });
    const parameters = parameterFields(action.parameters);
    if (parameters.length === 0) {
      overlays.show({
        kind: "confirm",
        question: {
          title: `${action.words}: ${recordName(record)}`,
          effects: [action.beside === "" ? `does “${action.name}” to it` : action.beside],
          command: command({}),
          onConfirm: () => run(() => save({})),
        },
      });
      return;
    }
    forms.open({
      title: `${action.words}: ${recordName(record)}`,
      subject: {
        fields: parameters,
        data: initialData(parameters),
        check: await rulesOf({ properties: action.parameters }, true),
      },
      pickRecord,
      save: (data, { idempotencyKey }) => save(data, idempotencyKey),
      command,
    });
  };

  return {
    edit: (record) => void openForm(editRequest(record)).catch(sayFailure),
    create: () => void openForm(createRequest()).catch(sayFailure),
    editInEditor: (record) =>
      run(() => throughEditor(editRequest(record), withoutFiles(type, record.data))),
    createInEditor: () => run(() => throughEditor(createRequest(), template())),
    act: (record) => {
      const actions = actionsOf(type, record, role);
      if (actions.length === 0) {
        say("note", `${type.slug} has no actions`);
        return;
      }
      overlays.show({
        kind: "choose",
        title: `What to do with ${recordName(record)}`,
        placeholder: "an action",
        choices: actions.map((action) => ({
          id: action.name,
          words: action.words,
          note: action.beside,
          reason: action.reason,
          choose: () => void execute(record, action).catch(sayFailure),
        })),
      });
    },
  };
}
