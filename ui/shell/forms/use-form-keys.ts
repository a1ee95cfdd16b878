import { shellKeys, type ShellKeys } from "../keys.ts";
import {
  editInput,
  findChoice,
  currentText,
  isChanged,
  lockedReason,
  longTextAt,
  moveField,
  replaceText,
  setText,
  toggleItem,
  turnChoice,
  type FormState,
} from "../../kit/forms/form-model.ts";
import { itemLines } from "../../kit/forms/field-text.ts";
import { isLong } from "../../kit/forms/form-field.ts";
import { fieldText, insertText, moveRows } from "../../kit/input/text-field.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { useUnsaved } from "../../kit/state/use-unsaved.ts";
import { useNotices } from "../notices.ts";
import { useOverlays } from "../overlays/overlays.ts";
import { useCopyCommand } from "../use-copy.ts";
import { useEditor } from "../use-editor.ts";
import type { LiveForm } from "./use-form-session.ts";
import type { FormRequest } from "./forms.ts";

const pageFields = 5;

/** The form with its cursor one row further: inside a long text, else in the next field. */
function movedRow(form: FormState, by: number, valueWidth: number): FormState {
  const [input, field] = [form.inputs[form.at], form.subject.fields[form.at]];
  const isText = field !== undefined && isLong(field) && lockedReason(form) === undefined;
  const moved =
    input === undefined || !isText ? undefined : moveRows(input, Math.sign(by), valueWidth);
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
  if (lockedReason(form) !== undefined) return undefined;
  if (field.kind !== "choice" && !(offers && (isList || field.kind === "line"))) return undefined;
  return () => {
    const put = (text: string) =>
      live.changeForm((now) => (isList ? toggleItem(now, text) : setText(now, text)));
    const input = form.inputs[form.at];
    const text = input === undefined ? "" : fieldText(input);
    const chosen = new Set(isList ? itemLines(text) : [text]);
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
        isCurrent: chosen.has(text),
        choose: () => put(text),
      })),
    });
  };
}

/** The keys of a field that takes none: each gives the reason, and an editor opens a long text. */
function useLockedKeys(live: LiveForm, reason: string | undefined): void {
  const { form } = live.session;
  const { say } = useNotices();
  const openEditor = useTextEditor(live);
  const active = reason !== undefined;
  const isText = longTextAt(form, form.at) !== undefined;
  const words = isText ? `${reason}: ${keyName(shellKeys.editText)} opens your editor` : reason;
  const refuse = () => say("note", words ?? "");
  const erasing = {
    eraseLeft: refuse,
    eraseRight: refuse,
    eraseWord: refuse,
    eraseToStart: refuse,
    eraseToEnd: refuse,
    newline: refuse,
  };
  useKeys("form", erasing, { active, text: refuse });
  // It comes after the layer that takes text, so that its letter is a key.
  useKeys<ShellKeys>("locked", { editText: openEditor }, { active: active && isText });
}

/** Opens the current field's text in the user's editor; a text that can't be used opens again. */
function useTextEditor(live: LiveForm): () => void {
  const editor = useEditor();
  const overlays = useOverlays();
  const { sayFailure } = useNotices();
  const { form } = live.session;
  const before = currentText(form);
  const suffix = form.subject.fields[form.at]?.kind === "json" ? ".json" : ".txt";
  const open = async (left?: Uint8Array): Promise<void> => {
    const edited = await editor.editText(before, suffix, left);
    if (edited.kind === "nothing") return;
    if (edited.kind === "unreadable") {
      return overlays.confirm({
        title: "Edit again",
        effects: [edited.why],
        onConfirm: () => void open(edited.bytes).catch(sayFailure),
      });
    }
    // Many editors end a text with a line end.
    const { text } = edited;
    const isEnded = text.endsWith("\n") && !before.endsWith("\n");
    live.changeForm((now) => replaceText(now, isEnded ? text.slice(0, -1) : text));
  };
  return () => void open().catch(sayFailure);
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
  const { say } = useNotices();
  const chooseValue = useValueChooser(request, live);
  const field = form.subject.fields[form.at];
  const isTyping = !comparing && !saving;
  const locked = lockedReason(form);
  const copy = () => {
    const command = live.command();
    if (command === undefined) say("note", "no single command saves this");
    else copyCommand.line(command);
  };
  const move = (by: number) => changeForm((now) => moveField(now, by));
  const moveRow = (by: number) => changeForm((now) => movedRow(now, by, valueWidth));
  const isUnsaved = isChanged(form) || conflict !== undefined || isGone;
  useUnsaved(() => (isUnsaved ? `what was typed in “${request.title}”` : undefined));
  const close = () => {
    if (!isUnsaved) return onClose();
    overlays.confirm({
      title: "Close without saving",
      effects: [`what was typed in “${request.title}” is lost`],
      onConfirm: onClose,
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
        field !== undefined && isLong(field) && locked === undefined
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
      active: isTyping && field?.kind === "choice" && locked === undefined,
      text: (text) =>
        changeForm((now) => (text.trim() === "" ? turnChoice(now, 1) : findChoice(now, text))),
    },
  );
  useLockedKeys(live, isTyping ? locked : undefined);
  // While the form is saved, keys do nothing and do not reach the layers below.
  useKeys("form", {}, { active: saving });
}
