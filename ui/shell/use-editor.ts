import { jsonReading } from "#lib/json-loss.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { utf8Text } from "#lib/utf8-text.ts";
import { editorCommand, editText } from "../kit/files/editor.ts";
import { jsonFault } from "../kit/text/json-fault.ts";
import { useScreen } from "../screen.tsx";
import { useEnvironment } from "../kit/state/use-environment.tsx";
import { useNotices } from "./use-notices.tsx";

/** What came back from the editor. */
export type Edited =
  | { readonly kind: "edited"; readonly data: Record<string, unknown> }
  /** It can't be kept as it is; the bytes are what was saved, for another try. */
  | { readonly kind: "unreadable"; readonly bytes: Uint8Array; readonly why: string }
  /** Left as it was, or not run; the user has been told. */
  | { readonly kind: "nothing" };

export interface Editor {
  readonly available: boolean;
  /** Opens JSON in the user's editor; `left` instead of it is what an earlier try left. */
  editJson(value: Readonly<Record<string, unknown>>, left?: Uint8Array): Promise<Edited>;
}

/** Why a text is no JSON object, and where, as editors count lines and columns. */
function faultWords(text: string): string {
  const fault = jsonFault(text);
  if (fault === undefined || text.trim() === "") return "what was written is not a JSON object";
  const lines = text.slice(0, fault.at).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `what was written is not JSON: line ${lines.length}, column ${column}: ${fault.words}`;
}

function editedText(bytes: Uint8Array): Edited {
  const text = utf8Text(bytes);
  if (text === undefined) {
    return { kind: "unreadable", bytes, why: "what was written is not UTF-8 text" };
  }
  const { value: data, loss } = jsonReading(text);
  if (loss !== undefined) {
    return { kind: "unreadable", bytes, why: `${loss.path.join(".")} ${loss.detail}`.trim() };
  }
  if (isJsonObject(data)) return { kind: "edited", data };
  return { kind: "unreadable", bytes, why: faultWords(text) };
}

/** The user's own editor, on this very terminal. */
export function useEditor(): Editor {
  const { env, platform } = useEnvironment();
  const command = editorCommand(env);
  const screen = useScreen();
  const { say } = useNotices();
  return {
    available: command !== undefined,
    editJson: async (value, left) => {
      if (command === undefined) return { kind: "nothing" };
      const before = `${JSON.stringify(value, undefined, 2)}\n`;
      let after: Uint8Array = Buffer.from(before);
      let problem: string | undefined;
      await screen.suspend(async () => {
        try {
          after = await editText(command, left ?? before, ".json", platform === "win32");
        } catch (error) {
          problem = error instanceof Error ? error.message : "the editor could not be run";
        }
      });
      if (problem !== undefined) {
        say("failed", problem);
        return { kind: "nothing" };
      }
      if (Buffer.from(before).equals(after)) {
        say("note", "nothing was changed");
        return { kind: "nothing" };
      }
      return editedText(after);
    },
  };
}
