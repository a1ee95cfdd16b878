import type { ObjectType, Resource } from "#client/index.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { useForms, type FormRequest } from "../../shell/forms/forms.ts";
import { useNotices } from "../../shell/notices.ts";
import { withoutFiles } from "../detail/file-values.ts";
import { recordFields } from "./form-fields-of-type.ts";
import { useActionChoice } from "./use-action-choice.ts";
import { useRecordEditor } from "./use-record-editor.ts";
import { useRecordForms, type RecordChanged } from "./use-record-forms.ts";

export interface RecordActions {
  /** Opens a form that is made from the type. */
  edit(record: Resource): void;
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
    create: () => openForm(requests.create()),
    editInEditor: (record) => editJson(requests.edit(record), withoutFiles(type, record.data)),
    createInEditor: () => editJson(requests.create(), templateOf(type)),
    act: useActionChoice(type, onChanged),
  };
}
