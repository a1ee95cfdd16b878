import type { ShellKeys } from "../keys.ts";
import {
  editInput,
  findChoice,
  isChanged,
  moveField,
  setText,
  toggleItem,
  turnChoice,
  type FormState,
} from "../../kit/forms/form-model.ts";
import { itemLines } from "../../kit/forms/field-text.ts";
import { isLong } from "../../kit/forms/form-field.ts";
import { fieldText, insertText, moveRows } from "../../kit/input/text-field.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { useUnsaved } from "../../kit/state/use-unsaved.ts";
import { useOverlays } from "../overlays/overlays.ts";
import { useCopyCommand } from "../use-copy.ts";
import type { LiveForm } from "./use-form-session.ts";
import type { FormRequest } from "./forms.ts";

const pageFields = 5;

/** The form with its cursor one row further: inside a long text, else in the next field. */
function movedRow(form: FormState, by: number, valueWidth: number): FormState {
  const [input, field] = [form.inputs[form.at], form.subject.fields[form.at]];
  const moved =
    input === undefined || field === undefined || !isLong(field)
      ? undefined
      : moveRows(input, Math.sign(by), valueWidth);
  return moved === undefined ? moveField(form, by) : editInput(form, () => moved);
}

/** Shows what can be chosen for the open field; absent where the field has no choices to list. */
function useValueChooser(request: FormRequest, live: LiveForm): (() => void) | undefined {
  const overlays = useOverlays();
  const { form } = live.session;
  const field = form.subject.fields[form.at];
  if (field === undefined) return undefined;
  const isList = field.kind === "list";
  const offers = field.target !== undefined || field.choices.length > 0;
  if (field.kind !== "choice" && !(offers && (isList || field.kind === "line"))) return undefined;
  return () => {
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
        note: chosen.has(text) ? "in the list" : undefined,
        choose: () => put(text),
      })),
    });
  };
}

/** Handles the keys of an open form, whose values are `valueWidth` columns wide. */
export function useFormKeys(
  request: FormRequest,
  live: LiveForm,
  valueWidth: number,
  onClose: () => void,
): void {
  const { session, saving, changeForm } = live;
  const { form, conflict, isGone, comparing } = session;
  const overlays = useOverlays();
  const copyCommand = useCopyCommand();
  const chooseValue = useValueChooser(request, live);
  const field = form.subject.fields[form.at];
  const isTyping = !comparing && !saving;
  const copy = () => {
    const command = live.command();
    if (command !== undefined) copyCommand.line(command);
  };
  const move = (by: number) => changeForm((now) => moveField(now, by));
  const moveRow = (by: number) => changeForm((now) => movedRow(now, by, valueWidth));
  const isUnsaved = isChanged(form) || conflict !== undefined || isGone;
  useUnsaved(() => (isUnsaved ? `what was typed in “${request.title}”` : undefined));
  const close = () => {
    if (!isUnsaved) return onClose();
    overlays.show({
      kind: "confirm",
      question: {
        title: "Close without saving",
        effects: [`what was typed in “${request.title}” is lost`],
        onConfirm: onClose,
      },
    });
  };
  useKeys<ShellKeys>(
    "form",
    {
      save: live.save,
      close,
      nextField: (count) => move(count),
      previousField: (count) => move(-count),
      submit: (count) =>
        field !== undefined && isLong(field)
          ? changeForm((now) => editInput(now, (input) => insertText(input, "\n")))
          : move(count),
      up: (count) => moveRow(-count),
      down: (count) => moveRow(count),
      pageUp: () => move(-pageFields),
      pageDown: () => move(pageFields),
      chooseValue,
      copyCommand: request.command === undefined ? undefined : copy,
    },
    { active: isTyping },
  );
  useKeys(
    "form",
    {
      cursorLeft: () => changeForm((now) => turnChoice(now, -1)),
      cursorRight: () => changeForm((now) => turnChoice(now, 1)),
    },
    {
      active: isTyping && field?.kind === "choice",
      text: (text) =>
        changeForm((now) => (text.trim() === "" ? turnChoice(now, 1) : findChoice(now, text))),
    },
  );
  // While the form is saved, keys do nothing and do not reach the layers below.
  useKeys("form", {}, { active: saving });
}
