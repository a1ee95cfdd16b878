import { fieldText, moveRows, textField, type TextField } from "../kit/input/text-field.ts";
import type { Turn } from "./transcript.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";

const emptyField = textField();
/** No earlier question stands in the field; `typed` is what stood there before one did. */
const nothingRecalled = { at: -1, typed: "" };

export interface QuestionField {
  readonly field: TextField;
  readonly edit: (change: (now: TextField) => TextField) => void;
  readonly clear: () => void;
  /**
   * Moves the cursor by rows, and beyond the first one to earlier questions: upwards is positive.
   * Whether another question stands there now.
   */
  readonly recall: (by: number) => boolean;
}

/** The field that a question is typed in, `width` columns wide; kept while other places are open. */
export function useQuestionField(turns: readonly Turn[], width: number): QuestionField {
  const [field, setField] = useRemembered("chat field", emptyField);
  const [recalled, setRecalled] = useRemembered("chat recalled", nothingRecalled);
  // Newest first; one that failed is asked again by bringing it back.
  const questions = turns.filter(({ role }) => role === "you").toReversed();
  return {
    field,
    edit: (change) => {
      setRecalled(nothingRecalled);
      setField(change);
    },
    clear: () => {
      setRecalled(nothingRecalled);
      setField(emptyField);
    },
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
