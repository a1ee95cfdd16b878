import { isJsonObject, parsedJson } from "#lib/json-value.ts";
import { editorCommand, editText } from "../editor.ts";
import { useScreen } from "../screen.tsx";
import { useEnvironment } from "./use-environment.tsx";
import { useNotices } from "./use-notices.tsx";

/** What came back from the editor. */
export type Edited =
  | { readonly kind: "edited"; readonly data: Record<string, unknown> }
  /** No JSON object any more; the text is what was saved, for another try. */
  | { readonly kind: "unreadable"; readonly text: string }
  /** Left as it was, or not run; the user has been told. */
  | { readonly kind: "nothing" };

export interface Editor {
  readonly available: boolean;
  /** Opens JSON in the user's editor; `text` instead of it is what an earlier try left. */
  editJson(value: Readonly<Record<string, unknown>>, text?: string): Promise<Edited>;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : undefined;
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
      const data = parseObject(after);
      return data === undefined ? { kind: "unreadable", text: after } : { kind: "edited", data };
    },
  };
}
