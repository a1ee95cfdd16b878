import type { CommandWords } from "../kit/places/action.ts";
import { Part, usePart } from "../kit/state/part.ts";
import { clipboardSequence, commandLine, type CommandOptions } from "../kit/text/command-line.ts";
import { countWords } from "../kit/text/words.ts";
import type { Screen } from "../screen.tsx";
import type { Notices } from "./notices.ts";
import type { Platform } from "./platform/use-platform.ts";

/** Terminals silently drop longer clipboard sequences. */
const maximumCharacters = 50_000;

/** Writes a command that does the same from another shell. */
export type WriteCommand = (words: readonly string[], options?: CommandOptions) => string;

/** Command lines that name what the profile of a shell does not know. */
export class CommandLines {
  readonly #state: Platform["state"];

  constructor(platform: Pick<Platform, "state">) {
    this.#state = platform.state;
  }

  /** A command that needs no workspace, or has it among its words. */
  readonly onPlatform: WriteCommand = (words, options) =>
    commandLine(this.#state.get().session.command, words, options);

  /** A command in the open workspace: `--tenant-id` names one that is not the profile's. */
  readonly inWorkspace: WriteCommand = (words, options) => {
    const { session, tenantId } = this.#state.get();
    const isKnown = session.knowsDefault === true && session.defaultWorkspaceId === tenantId;
    return this.onPlatform(words, { ...options, "tenant-id": isKnown ? undefined : tenantId });
  };
}

/** The clipboard of the terminal. */
export class Clipboard {
  readonly #screen: Screen;
  readonly #notices: Notices;
  readonly #platform: Platform;
  readonly #lines: CommandLines;

  constructor(
    screen: Screen,
    parts: {
      readonly notices: Notices;
      readonly platform: Platform;
      readonly lines: CommandLines;
    },
  ) {
    this.#screen = screen;
    this.#notices = parts.notices;
    this.#platform = parts.platform;
    this.#lines = parts.lines;
  }

  /** Copies a text and shows it, or only the message for a secret. */
  readonly copy = (text: string, words = text): void => {
    if (text === "") return;
    const cut = text.slice(0, maximumCharacters);
    this.#screen.send(clipboardSequence(cut));
    if (cut === text) this.#notices.say("done", `copied: ${words}`);
    else {
      const first = `the first ${countWords(maximumCharacters)} characters`;
      this.#notices.say("note", `copied ${first}`);
    }
  };

  /** Copies a command; a part of one would do something else. */
  readonly line = (command: string): void => {
    if (command.length > maximumCharacters) {
      const most = `${countWords(maximumCharacters)} characters`;
      return this.#notices.say("note", `the command has more than ${most}`);
    }
    const { commandNeeds: needs } = this.#platform.state.get().session;
    this.#screen.send(clipboardSequence(command));
    const need = needs === undefined ? "" : ` (it needs ${needs})`;
    this.#notices.say("done", `copied${need}: ${command}`);
  };

  readonly inWorkspace = (...command: CommandWords): void =>
    this.line(this.#lines.inWorkspace(...command));

  readonly onPlatform = (...command: CommandWords): void =>
    this.line(this.#lines.onPlatform(...command));
}

export const commandLinesPart = new Part<CommandLines>("command lines");
export const clipboardPart = new Part<Clipboard>("clipboard");

export function useCommandLines(): CommandLines {
  return usePart(commandLinesPart);
}

export function useCopy(): Clipboard["copy"] {
  return usePart(clipboardPart).copy;
}

/** Copies commands that do the same from another shell. */
export function useCopyCommand(): Pick<Clipboard, "line" | "inWorkspace" | "onPlatform"> {
  return usePart(clipboardPart);
}
