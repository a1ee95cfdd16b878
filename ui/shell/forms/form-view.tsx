import { shellKeys } from "../keys.ts";
import { editInput, lockedReason } from "../../kit/forms/form-model.ts";
import { FormFields, formWidths, isSmallForm } from "../../kit/forms/form-fields.tsx";
import { hasFiles, type FormSession } from "../../kit/forms/form-session.ts";
import { Overlay, type DialogProps, type OverlayArea } from "../../kit/dialogs/overlay.tsx";
import { keyName } from "../../kit/keys/keys.ts";
import { useStore } from "../../kit/state/store.ts";
import { fitText, wrapText } from "../../kit/text/text-layout.ts";
import { Area, Line } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/panes/waiting.tsx";
import { ConflictView } from "./conflict-view.tsx";
import { useFormKeys } from "./use-form-keys.ts";
import { useFormSession } from "./use-form-session.ts";
import { useForms, type FormRequest } from "./forms.ts";

const smallWidth = 90;
const hintRows = 2;
const problemRows = 4;

function changeNotice(session: FormSession): string | undefined {
  const { conflict, isGone, isRenewed } = session;
  const save = keyName(shellKeys.save);
  if (isGone) {
    const without = hasFiles(session) ? ", without its files" : "";
    return `This record was deleted meanwhile: ${save} creates it again${without}`;
  }
  if (conflict !== undefined) {
    return `Version ${conflict.theirs.version} was saved meanwhile: ${save} merges it with yours`;
  }
  return isRenewed ? "The type was changed meanwhile: these are its fields now" : undefined;
}

/** The open form, over the screen; nothing while no form is open. */
export function FormView(props: OverlayArea) {
  const forms = useForms();
  const shown = useStore(forms.shown);
  if (shown === undefined) return null;
  return <OpenForm key={shown.id} request={shown.request} onClose={forms.close} {...props} />;
}

function OpenForm(props: DialogProps & { readonly request: FormRequest }) {
  const { request, onClose, ...area } = props;
  const live = useFormSession(request, onClose);
  const { session, faults, saving } = live;
  const { form, comparing } = session;
  const { fields } = form.subject;
  const isSmall = isSmallForm(request.subject);
  const width = isSmall ? Math.min(area.columns, smallWidth) : area.columns;
  const inner = width - 2;
  const widths = formWidths(form, inner);
  useFormKeys(request, live, widths.value, onClose);

  const problems = [...live.problem, ...faults.others]
    .flatMap((line) => wrapText(line, inner - 4))
    .slice(0, problemRows);
  const notice = comparing ? undefined : changeNotice(session);
  const height =
    isSmall && !comparing ? Math.min(2 * fields.length + problemRows + 4, area.rows) : area.rows;
  const body = height - 2 - problems.length - (notice === undefined ? 0 : 1) - hintRows;
  const hint = lockedReason(form) ?? fields[form.at]?.hint ?? "There is nothing to fill in.";
  return (
    <Overlay {...area} title={request.title} width={width} height={height}>
      {problems.map((line, index) => (
        <Line key={index} as="bad">
          {index === 0 ? " ✗ " : "   "}
          {line}
        </Line>
      ))}
      {notice === undefined ? null : <Line as="warn">{fitText(` ${notice}`, inner)}</Line>}
      {comparing ? (
        <ConflictView
          session={session}
          active={!saving}
          width={inner}
          height={body}
          onChange={live.change}
          onSave={live.save}
        />
      ) : (
        <FormFields
          form={form}
          faults={faults}
          widths={widths}
          height={body}
          active={!saving}
          onEdit={(change) => live.changeForm((now) => editInput(now, change))}
        />
      )}
      <Area height={hintRows}>
        {saving ? <Waiting words="saving" /> : null}
        {saving || comparing ? null : <Hints text={hint} width={inner} />}
      </Area>
    </Overlay>
  );
}

/** The first lines of a field's hint. */
function Hints(props: { readonly text: string; readonly width: number }) {
  const { text, width } = props;
  return wrapText(text, width - 2)
    .slice(0, hintRows)
    .map((line, index) => (
      <Line key={index} as="quiet">
        {fitText(` ${line}`, width)}
      </Line>
    ));
}
