import { jsonReading } from "#lib/json-loss.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { editorCommand, editText } from "../editor.ts";
import { useScreen } from "../screen.tsx";
import { useEnvironment } from "./use-environment.tsx";
import { useNotices } from "./use-notices.tsx";

/** What came back from the editor. */
export type Edited =
  | { readonly kind: "edited"; readonly data: Record<string, unknown> }
  /** It can't be kept as it is; the text is what was saved, for another try. */
  | { readonly kind: "unreadable"; readonly text: string; readonly why: string }
  /** Left as it was, or not run; the user has been told. */
  | { readonly kind: "nothing" };

export interface Editor {
  readonly available: boolean;
  /** Opens JSON in the user's editor; `text` instead of it is what an earlier try left. */
  editJson(value: Readonly<Record<string, unknown>>, text?: string): Promise<Edited>;
}

function editedText(text: string): Edited {
  const { value: data, loss } = jsonReading(text);
  if (loss !== undefined) {
    return { kind: "unreadable", text, why: `${loss.path.join(".")} ${loss.detail}`.trim() };
  }
  if (isJsonObject(data)) return { kind: "edited", data };
  return { kind: "unreadable", text, why: "what was written is not a JSON object" };
}

/** The user's own editor, on this very terminal. */
export function useEditor(): Editor {
  const { env, platform } = useEnvironment();
  const command = editorCommand(env);
  const screen = useScreen();
  const { say } = useNotices();
  return {
    available: command !== undefined,
    editJson: async (value, text) => {
      if (command === undefined) return { kind: "nothing" };
      const before = `${JSON.stringify(value, undefined, 2)}\n`;
      let after = before;
      let problem: string | undefined;
      await screen.suspend(async () => {
        try {
          after = await editText(command, text ?? before, ".json", platform === "win32");
        } catch (error) {
          problem = error instanceof Error ? error.message : "the editor could not be run";
        }
      });
      if (problem !== undefined) {
        say("failed", problem);
        return { kind: "nothing" };
      }
      if (after === before) {
        say("note", "nothing was changed");
        return { kind: "nothing" };
      }
      return editedText(after);
    },
  };
}
