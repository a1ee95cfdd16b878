import { fieldText, moveRows, textField, type TextField } from "../kit/input/text-field.ts";
import { useRemembered, useRememberedCell, type Memory } from "../kit/state/use-remembered.ts";
import { usePart } from "../kit/state/part.ts";
import { useSelected } from "../kit/state/store.ts";
import type { ChatSession } from "./chat-session.ts";
import { conversationsPart } from "./conversations.ts";
import type { Message } from "./transcript.ts";

const fieldName = "chat field";
const emptyField = textField();
/** `at` counts back from the newest question, -1 being the text that is `typed` now. */
const nothingRecalled = { at: -1, typed: "" };

export interface QuestionField {
  readonly field: TextField;
  readonly edit: (change: (now: TextField) => TextField) => void;
  readonly clear: () => void;
  /**
   * Moves the cursor by rows, and from the first row to earlier questions: upwards is positive.
   * Returns whether the field shows another question now.
   */
  readonly recall: (by: number) => boolean;
}

/** The field for a question, `width` columns wide; its text stays while other places are open. */
export function useQuestionField(messages: readonly Message[], width: number): QuestionField {
  const { key } = useShownSession();
  const [field, setField] = useRemembered(`${key} ${fieldName}`, emptyField);
  const [recalled, setRecalled] = useRemembered(`${key} chat recalled`, nothingRecalled);
  const questions = messages.filter(({ role }) => role === "you").toReversed();
  const edit: QuestionField["edit"] = (change) => {
    setRecalled(nothingRecalled);
    setField(change);
  };
  return {
    field,
    edit,
    clear: () => edit(() => emptyField),
    recall: (by) => {
      const moved = moveRows(field, -Math.sign(by), width);
      if (moved !== undefined && recalled.at === -1) {
        setField(moved);
        return false;
      }
      const typed = recalled.at === -1 ? fieldText(field) : recalled.typed;
      const at = Math.max(-1, Math.min(recalled.at + by, questions.length - 1));
      if (at === recalled.at) return false;
      setRecalled({ at, typed });
      setField(textField(at === -1 ? typed : (questions[at]?.text ?? "")));
      return true;
    },
  };
}

/** The conversation whose tab is shown. */
export function useShownSession(): ChatSession {
  return useSelected(usePart(conversationsPart).tabs, ({ shown }) => shown);
}

/** Returns a function that writes a question into the field, unless it has a text. */
export function useSuggestion(): (question: TextField) => void {
  const cell = useRememberedCell(`${useShownSession().key} ${fieldName}`, emptyField);
  return (question) => cell.set((now) => (fieldText(now).trim() === "" ? question : now));
}

/** Names a question that was typed in any workspace and not sent. */
export function unsentQuestion(memory: Memory): string | undefined {
  return memory.named(fieldName).some((field) => fieldText(field as TextField).trim() !== "")
    ? "the message in the chat, which was not sent"
    : undefined;
}
