import { jsonReading } from "#lib/json/loss.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { utf8Text } from "#lib/text/utf8.ts";
import { editorCommand, editText } from "../kit/files/editor.ts";
import { jsonFault } from "../kit/text/json-fault.ts";
import { useScreen } from "../screen.tsx";
import { useHost } from "./host.ts";
import { useNotices } from "./notices.ts";

export type Edited =
  | { readonly kind: "edited"; readonly data: Record<string, unknown> }
  /** The text is no JSON object; the bytes are the saved file, for another try. */
  | { readonly kind: "unreadable"; readonly bytes: Uint8Array; readonly why: string }
  /** The text did not change, or the editor failed; a message was shown. */
  | { readonly kind: "nothing" };

export type EditedText =
  | { readonly kind: "edited"; readonly text: string }
  | Exclude<Edited, { readonly kind: "edited" }>;

export interface Editor {
  readonly available: boolean;
  /** Opens a text in the user's editor, or the bytes that an earlier try left. */
  editText(text: string, suffix: string, left?: Uint8Array): Promise<EditedText>;
  /** Opens JSON in the user's editor, or the bytes that an earlier try left. */
  editJson(value: Readonly<Record<string, unknown>>, left?: Uint8Array): Promise<Edited>;
}

/** Why a text is not a JSON object, with line and column as editors count them. */
function faultWords(text: string): string {
  const fault = jsonFault(text);
  if (fault === undefined || text.trim() === "") return "the text is not a JSON object";
  const lines = text.slice(0, fault.at).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `the text is not JSON: line ${lines.length}, column ${column}: ${fault.words}`;
}

function textIn(bytes: Uint8Array): EditedText {
  const text = utf8Text(bytes);
  if (text !== undefined) return { kind: "edited", text };
  return { kind: "unreadable", bytes, why: "the text is not valid UTF-8" };
}

function jsonIn(bytes: Uint8Array, text: string): Edited {
  const { value: data, loss } = jsonReading(text);
  if (loss !== undefined) {
    return { kind: "unreadable", bytes, why: `${loss.path.join(".")} ${loss.detail}`.trim() };
  }
  if (isJsonObject(data)) return { kind: "edited", data };
  return { kind: "unreadable", bytes, why: faultWords(text) };
}

/** The user's editor, which runs on the dashboard's terminal. */
export function useEditor(): Editor {
  const { env, platform } = useHost().terminal;
  const command = editorCommand(env);
  const screen = useScreen();
  const { say } = useNotices();
  /** The saved bytes; `undefined` if nothing was changed, which a message says. */
  const open = async (before: string, suffix: string, left: Uint8Array | undefined) => {
    if (command === undefined) return undefined;
    let after: Uint8Array = Buffer.from(before);
    let problem: string | undefined;
    await screen.suspend(async () => {
      try {
        after = await editText(command, left ?? before, suffix, platform === "win32");
      } catch (error) {
        problem = error instanceof Error ? error.message : "the editor could not be run";
      }
    });
    if (problem !== undefined) say("failed", problem);
    else if (Buffer.from(before).equals(after)) say("note", "nothing was changed");
    else return after;
    return undefined;
  };
  return {
    available: command !== undefined,
    editText: async (text, suffix, left) => {
      const after = await open(text, suffix, left);
      return after === undefined ? { kind: "nothing" } : textIn(after);
    },
    editJson: async (value, left) => {
      const after = await open(`${JSON.stringify(value, undefined, 2)}\n`, ".json", left);
      if (after === undefined) return { kind: "nothing" };
      const edited = textIn(after);
      return edited.kind === "edited" ? jsonIn(after, edited.text) : edited;
    },
  };
}
