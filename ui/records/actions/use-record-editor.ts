import { commonKeys } from "../../kit/keys/base-keys.ts";
import type { JsonObject, ObjectType } from "#client/index.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { outcomeOf } from "../../shell/forms/use-form-session.ts";
import { useForms, type FormRequest } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useEditor } from "../../shell/use-editor.ts";
import { useReportedWork } from "../../shell/notices.ts";
import { recordFields } from "./form-fields-of-type.ts";

type Request = Promise<FormRequest | undefined>;

/** Saves JSON that the user edits in an editor; a refused save continues in the form. */
export function useRecordEditor(
  type: ObjectType,
  onChanged: () => void,
): (request: Request, start: JsonObject) => void {
  const overlays = useOverlays();
  const forms = useForms();
  const editor = useEditor();
  const run = useReportedWork(onChanged);

  const save = async (request: FormRequest, data: JsonObject) => {
    try {
      const { version } = request;
      return await request.save(data, { version, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      const fields = recordFields(type, { ...request.subject.data, ...data });
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
