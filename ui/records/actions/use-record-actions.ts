import type { ObjectType, Resource, JsonObject } from "#client/index.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { useForms, type FormRequest } from "../../shell/forms/forms.ts";
import { useNotices, useReportedWork } from "../../shell/notices.ts";
import { withoutFiles } from "../detail/file-values.ts";
import { recordFields, parameterFields } from "./form-fields-of-type.ts";
import { useCellEdit } from "./use-cell-edit.ts";
import { useRecordForms, type RecordChanged, loadCheck } from "./use-record-forms.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useRecordClient } from "../use-resources.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import { actionCommand, actionsOf, type RecordAction } from "./record-action.ts";
import { useRecordPicker } from "./use-record-picker.ts";
import { commonKeys } from "../../kit/keys/base-keys.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { outcomeOf } from "../../shell/forms/use-form-session.ts";
import { useEditor } from "../../shell/use-editor.ts";

type Request = Promise<FormRequest | undefined>;

/** Saves JSON that the user edits in an editor; a refused save continues in the form. */
function useRecordEditor(
  type: ObjectType,
  onChanged: () => void,
): (request: Request, start: JsonObject) => void {
  const overlays = useOverlays();
  const forms = useForms();
  const editor = useEditor();
  const run = useReportedWork(onChanged);
  const role = useRole();

  const save = async (request: FormRequest, data: JsonObject) => {
    try {
      const { version } = request;
      return await request.save(data, { version, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      const fields = recordFields(type, { ...request.subject.data, ...data }, role);
      const form = { ...request, subject: { ...request.subject, fields } };
      const outcome = await outcomeOf({ target: form, subject: form.subject, data }, failure);
      forms.open({ ...form, start: { mine: data, outcome } });
      return undefined;
    }
  };

  const edit = async (request: Request, start: JsonObject, lastText?: Uint8Array) => {
    const edited = await editor.editJson(start, lastText);
    if (edited.kind === "nothing") return undefined;
    if (edited.kind === "edited") {
      const form = await request;
      return form === undefined ? undefined : save(form, edited.data);
    }
    overlays.confirm({
      title: "Edit again",
      effects: [
        `can't save this: ${edited.why}`,
        `${keyName(commonKeys.confirm)} opens it again, ${keyName(commonKeys.refuse)} discards it`,
      ],
      onConfirm: () => run(() => edit(request, start, edited.bytes)),
    });
    return undefined;
  };

  return (request, start) => run(() => edit(request, start));
}

/** Asks for one of the type's actions and for its parameters, then executes it. */
function useActionChoice(type: ObjectType, onChanged: () => void): (record: Resource) => void {
  const { tenantId = "" } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const forms = useForms();
  const role = useRole();
  const records = useRecordClient(type.slug);
  const pickRecord = useRecordPicker();
  const commands = useCommandLines();
  const run = useReportedWork(onChanged);
  const note = useChangeLog();

  const start = async (record: Resource, action: RecordAction) => {
    if (records === undefined) return;
    const { id, version } = record;
    const execute = async (parameters: JsonObject, idempotencyKey?: string) => {
      const options = { version, idempotencyKey };
      const changed = await records.execute(id, action.name, parameters, options);
      const isWritten = changed.version > version;
      if (isWritten)
        note(`${action.words} ${recordName(changed, type)}`, [writeOf(type, changed, "changed")]);
      return `${action.words}: ${recordName(changed, type)} is version ${changed.version}`;
    };
    const target = { tenantId, slug: type.slug, id, action: action.name };
    const command = (parameters: JsonObject) =>
      commands.inWorkspace(...actionCommand(target, { parameters, version }));
    const title = `${action.words}: ${recordName(record, type)}`;
    const fields = parameterFields(action.parameters);
    if (fields.length === 0) {
      overlays.confirm({
        title,
        effects: [action.stateChange || `does “${action.name}” to it`],
        command: command({}),
        onConfirm: () => run(() => execute({})),
      });
      return;
    }
    const check = await loadCheck({ properties: action.parameters }, true);
    forms.open({
      title,
      subject: { fields, data: initialData(fields), check },
      pickRecord,
      // A refusal also refreshes: the next try is for the record's current version.
      save: (data, { idempotencyKey }) => execute(data, idempotencyKey).finally(onChanged),
      command,
    });
  };

  return (record) => {
    const actions = actionsOf(type, record, role);
    if (actions.length === 0) return say("note", `${type.slug} has no actions`);
    overlays.choose({
      title: `Choose an action for ${recordName(record, type)}`,
      placeholder: "an action",
      choices: actions.map((action) => ({
        id: action.name,
        words: action.words,
        note: action.stateChange,
        reason: action.reason,
        choose: () => void start(record, action).catch(sayFailure),
      })),
    });
  };
}

export interface RecordActions {
  /** Opens a form that is made from the type. */
  edit(record: Resource): void;
  /** Asks for one field of the record, and edits that alone. */
  editCell(record: Resource): void;
  create(): void;
  /** Opens JSON in the user's own editor. */
  editInEditor(record: Resource): void;
  createInEditor(): void;
  act(record: Resource): void;
}

/** JSON for a new record: the defaults, and `null` for each other required property. */
function templateOf(type: ObjectType) {
  const fields = recordFields(type, {});
  const required = fields.filter((field) => field.isRequired).map(({ name }) => [name, null]);
  return { ...Object.fromEntries(required), ...initialData(fields) };
}

/** Changes to records, in forms or in the user's editor, guarded by the record's version. */
export function useRecordActions(type: ObjectType, onChanged: RecordChanged): RecordActions {
  const { sayFailure } = useNotices();
  const forms = useForms();
  const requests = useRecordForms(type, onChanged);
  const editJson = useRecordEditor(type, onChanged);
  const openForm = (pending: Promise<FormRequest | undefined>) => {
    pending
      .then((request) => {
        if (request !== undefined) forms.open(request);
      })
      .catch(sayFailure);
  };
  return {
    edit: (record) => openForm(requests.edit(record)),
    editCell: useCellEdit(type, requests),
    create: () => openForm(requests.create()),
    editInEditor: (record) => editJson(requests.edit(record), withoutFiles(type, record.data)),
    createInEditor: () => editJson(requests.create(), templateOf(type)),
    act: useActionChoice(type, onChanged),
  };
}
