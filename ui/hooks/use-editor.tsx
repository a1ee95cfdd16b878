import { createContext, useContext, type ReactNode } from "react";
import { editorCommand, editText } from "../editor.ts";
import { useScreen } from "../screen.tsx";
import type { Terminal } from "../terminal.ts";
import { useNotices } from "./use-notices.tsx";

type Surroundings = Pick<Terminal, "env" | "platform">;

const EnvironmentContext = createContext<Surroundings>({ env: {}, platform: "" });

export function EnvironmentProvider(props: {
  readonly terminal: Surroundings;
  readonly children: ReactNode;
}) {
  return <EnvironmentContext value={props.terminal}>{props.children}</EnvironmentContext>;
}

/** Whether the terminal shows colours at all: NO_COLOR, FORCE_COLOR=0. */
export function useColours(): boolean {
  const { env } = useContext(EnvironmentContext);
  return (env["NO_COLOR"] ?? "") === "" && env["FORCE_COLOR"] !== "0";
}

export interface Editor {
  readonly available: boolean;
  /**
   * Opens JSON in the user's editor; `undefined` when it was left unchanged, could not be run, or
   * no longer is a JSON object (the user has been told).
   */
  editJson(value: Readonly<Record<string, unknown>>): Promise<Record<string, unknown> | undefined>;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said by the caller: what was typed is no JSON object.
  }
  return undefined;
}

/** The user's own editor, on this very terminal. */
export function useEditor(): Editor {
  const { env, platform } = useContext(EnvironmentContext);
  const command = editorCommand(env);
  const screen = useScreen();
  const { say } = useNotices();
  return {
    available: command !== undefined,
    editJson: async (value) => {
      if (command === undefined) return undefined;
      const before = `${JSON.stringify(value, undefined, 2)}\n`;
      let after = before;
      let problem: string | undefined;
      await screen.suspend(async () => {
        try {
          after = await editText(command, before, ".json", platform === "win32");
        } catch (error) {
          problem = error instanceof Error ? error.message : "the editor could not be run";
        }
      });
      if (problem !== undefined) {
        say("failed", problem);
        return undefined;
      }
      if (after === before) {
        say("note", "nothing was changed");
        return undefined;
      }
      const edited = parseObject(after);
      if (edited === undefined) say("failed", "not saved: what was written is no JSON object");
      return edited;
    },
  };
}
