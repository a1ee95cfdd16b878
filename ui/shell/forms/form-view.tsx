import {
  editInput,
  findChoice,
  isChanged,
  moveField,
  setText,
  toggleItem,
  turnChoice,
} from "../../kit/forms/form-model.ts";
import { itemLines } from "../../kit/forms/field-text.ts";
import { hasFiles, type FormSession } from "../../kit/forms/form-session.ts";
import { useCopy } from "../use-copy.ts";
import { useFormSession } from "./use-form-session.ts";
import { useForms, type FormRequest } from "./use-forms.tsx";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useOverlays } from "../overlays/use-overlays.tsx";
import { keyName } from "../../kit/keys/key-table.ts";
import { fieldText, insertText, moveRows } from "../../kit/input/text-field.ts";
import { fitText, wrapText } from "../../kit/text/text-layout.ts";
import { ConflictView } from "./conflict-view.tsx";
import { FormFields, formWidths, isLong, isSmallForm } from "../../kit/forms/form-fields.tsx";
import { Overlay, type DialogProps, type OverlayArea } from "../../kit/dialogs/overlay.tsx";
import { Area, Line } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/theme/waiting.tsx";

const smallWidth = 90;
const hintRows = 2;
const problemRows = 4;
/** Fields that PgUp and PgDn pass. */
const pageFields = 5;

/** What others have done while the form was open. */
function meanwhileWords(session: FormSession): string | undefined {
  const { conflict, isGone, isRenewed } = session;
  const save = keyName("save");
  if (isGone) {
    const without = hasFiles(session) ? ", without its files" : "";
    return `Somebody has deleted this record: ${save} creates it anew${without}`;
  }
  if (conflict !== undefined) {
    return `Version ${conflict.theirs.version} was saved meanwhile: ${save} takes it in`;
  }
  return isRenewed ? "The type was changed meanwhile: these are its fields now" : undefined;
}

/** The form that is open, over the screen; nothing while none is. */
export function FormView(props: OverlayArea) {
  const { shown, close } = useForms();
  if (shown === undefined) return null;
  return <OpenForm key={shown.id} request={shown.request} onClose={close} {...props} />;
}

function OpenForm(props: DialogProps & { readonly request: FormRequest }) {
  const { request, columns, rows, onClose } = props;
  const live = useFormSession(request, onClose);
  const { session, faults, saving } = live;
  const { form } = session;
  const overlays = useOverlays();
  const copy = useCopy();
  const isSmall = isSmallForm(request.subject);
  const width = isSmall ? Math.min(columns, smallWidth) : columns;
  const inner = width - 2;
  const field = form.subject.fields[form.at];
  const widths = formWidths(form, inner);
  const isTyping = !session.comparing && !saving;

  const close = () => {
    const { conflict, isGone } = session;
    if (!isChanged(form) && conflict === undefined && !isGone) return onClose();
    overlays.show({
      kind: "confirm",
      question: {
        title: "Close without saving",
        effects: [`what was typed in “${request.title}” is lost`],
        onConfirm: onClose,
      },
    });
  };
  const move = (by: number) => live.changeForm((now) => moveField(now, by));
  const moveUpOrDown = (by: number) =>
    live.changeForm((now) => {
      const [input, open] = [now.inputs[now.at], now.subject.fields[now.at]];
      const inside =
        input === undefined || open === undefined || !isLong(open)
          ? undefined
          : moveRows(input, Math.sign(by), widths.value);
      return inside === undefined ? moveField(now, by) : editInput(now, () => inside);
    });
  const isList = field?.kind === "list";
  const chooseValue = () => {
    if (field === undefined) return;
    const put = (text: string) =>
      live.changeForm((now) => (isList ? toggleItem(now, text) : setText(now, text)));
    const input = form.inputs[form.at];
    const chosen = new Set(isList && input !== undefined ? itemLines(fieldText(input)) : []);
    if (field.choices.length === 0) {
      if (field.target !== undefined) request.pickRecord?.(field.target, chosen, put);
      return;
    }
    overlays.show({
      kind: "choose",
      title: field.label,
      placeholder: "a choice",
      choices: field.choices.map(({ text }) => ({
        id: text,
        words: text,
        beside: chosen.has(text) ? "in the list" : undefined,
        choose: () => put(text),
      })),
    });
  };
  const isChoice = field?.kind === "choice";
  const offers = field !== undefined && (field.target !== undefined || field.choices.length > 0);
  const canChoose = isChoice || (offers && (isList || field.kind === "line"));
  useKeys(
    "form",
    {
      save: live.save,
      close,
      nextField: (count) => move(count),
      previousField: (count) => move(-count),
      submit: (count) =>
        field !== undefined && isLong(field)
          ? live.changeForm((now) => editInput(now, (input) => insertText(input, "\n")))
          : move(count),
      up: (count) => moveUpOrDown(-count),
      down: (count) => moveUpOrDown(count),
      pageUp: () => move(-pageFields),
      pageDown: () => move(pageFields),
      chooseValue: canChoose ? chooseValue : undefined,
      copyCommand: () => copy(live.command()),
    },
    { active: isTyping },
  );
  useKeys(
    "form",
    {
      cursorLeft: () => live.changeForm((now) => turnChoice(now, -1)),
      cursorRight: () => live.changeForm((now) => turnChoice(now, 1)),
    },
    {
      active: isTyping && isChoice,
      text: (text) =>
        live.changeForm((now) => (text.trim() === "" ? turnChoice(now, 1) : findChoice(now, text))),
    },
  );
  // Keys that come while it is being saved do nothing, and reach nothing below either.
  useKeys("form", {}, { active: saving });

  const problems = [...live.problem, ...faults.others]
    .flatMap((line) => wrapText(line, inner - 4))
    .slice(0, problemRows);
  const meanwhile = session.comparing ? undefined : meanwhileWords(session);
  const height =
    isSmall && !session.comparing
      ? Math.min(2 * form.subject.fields.length + problemRows + 4, rows)
      : rows;
  const body = height - 2 - problems.length - (meanwhile === undefined ? 0 : 1) - hintRows;
  const hints = wrapText(field?.hint ?? "There is nothing to fill in.", inner - 2);
  return (
    <Overlay title={request.title} columns={columns} rows={rows} width={width} height={height}>
      {problems.map((line, index) => (
        <Line key={index} as="bad">
          {index === 0 ? " ✗ " : "   "}
          {line}
        </Line>
      ))}
      {meanwhile === undefined ? null : <Line as="warn">{fitText(` ${meanwhile}`, inner)}</Line>}
      {session.comparing ? (
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
          active={isTyping}
          onEdit={(change) => live.changeForm((now) => editInput(now, change))}
        />
      )}
      <Area height={hintRows}>
        {saving ? (
          <Waiting words="saving" />
        ) : session.comparing ? null : (
          hints.slice(0, hintRows).map((line, index) => (
            <Line key={index} as="quiet">
              {fitText(` ${line}`, inner)}
            </Line>
          ))
        )}
      </Area>
    </Overlay>
  );
}
