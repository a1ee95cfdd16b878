import type { ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { textOf } from "../../kit/forms/field-text.ts";
import type { FormField } from "../../kit/forms/form-field.ts";
import { Store } from "../../kit/state/store.ts";
import { useForms, type FormRequest } from "../../shell/forms/forms.ts";
import { useNotices, useReportedWork } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { outcomeOf } from "../../shell/forms/use-form-session.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { recordFields } from "./form-fields-of-type.ts";
import type { useRecordForms } from "./use-record-forms.ts";

/** The field that was edited last in each type, which is offered first again. */
const lastFields = new Store<ReadonlyMap<string, string>>(new Map());

/** The fields with the one of the last edit first. */
export function offeredFields(fields: readonly FormField[], last: string | undefined): FormField[] {
  return fields.toSorted((a, b) => Number(b.name === last) - Number(a.name === last));
}

/** The form of a record with one of its fields; the others keep their values. */
export function cellRequest(request: FormRequest, field: FormField): FormRequest {
  const { check, data } = request.subject;
  const isOfField = ({ pointer }: { readonly pointer: string }) =>
    pointer.replace(/^\/data(?=\/)/, "").split("/")[1] === field.name;
  const inField = (of: Readonly<Record<string, unknown>>) => {
    const value = ownMember(of, field.name);
    return value === undefined ? {} : { [field.name]: value };
  };
  const whole = (mine: Readonly<Record<string, unknown>>) => {
    const { [field.name]: _before, ...others } = data;
    return { ...others, ...inField(mine) };
  };
  const { current } = request;
  return {
    ...request,
    title: `${request.title}: ${field.label}`,
    subject: {
      fields: [field],
      data: inField(data),
      check: (mine) => check(whole(mine)).filter(isOfField),
    },
    current:
      current &&
      (async () => {
        const theirs = await current();
        return { ...theirs, data: inField(theirs.data) };
      }),
    renewed: undefined,
    recreate: undefined,
  };
}

/**
 * Returns a function that edits one field of a record: it asks for the field, then for its value by
 * a choice, or in a form of one field. Another user's change of the field is compared first.
 */
export function useCellEdit(
  type: ObjectType,
  requests: Pick<ReturnType<typeof useRecordForms>, "editField">,
): (record: Resource) => void {
  const overlays = useOverlays();
  const forms = useForms();
  const role = useRole();
  const { sayFailure } = useNotices();
  const run = useReportedWork(() => {});

  const saveChoice = async (request: FormRequest, field: FormField, value: unknown) => {
    const data = value === undefined ? {} : { [field.name]: value };
    const { version } = request;
    try {
      return await request.save(data, { version, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      const outcome = await outcomeOf({ target: request, subject: request.subject, data }, failure);
      forms.open({ ...request, start: { mine: data, outcome } });
      return undefined;
    }
  };
  const edit = async (record: Resource, field: FormField) => {
    lastFields.set((now) => new Map([...now, [type.slug, field.name]]));
    const whole = await requests.editField(record, field.name);
    if (whole === undefined) return;
    const request = cellRequest(whole, field);
    if (field.kind !== "choice") return forms.open(request);
    const current = textOf(field, ownMember(record.data, field.name));
    const none = field.isRequired ? [] : [{ text: "", value: undefined }];
    overlays.choose({
      title: request.title,
      placeholder: field.hint,
      choices: [...field.choices, ...none].map(({ text, value }) => ({
        id: text,
        words: text === "" ? "no value" : text,
        isCurrent: text === current,
        choose: () => run(() => saveChoice(request, field, value)),
      })),
    });
  };

  return (record) => {
    const fields = recordFields(type, record.data, role);
    overlays.choose({
      title: `Edit a field of ${recordName(record, type)}`,
      placeholder: "a field",
      choices: offeredFields(fields, lastFields.get().get(type.slug)).map((field) => ({
        id: field.name,
        words: field.label,
        note: textOf(field, ownMember(record.data, field.name)),
        reason: field.locked,
        choose: () => void edit(record, field).catch(sayFailure),
      })),
    });
  };
}
