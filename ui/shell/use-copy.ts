import { clipboardSequence } from "../kit/text/command-line.ts";
import { useScreen } from "../screen.tsx";
import { countWords } from "../kit/text/words.ts";
import { useCommandLines, type WriteCommand } from "./platform/use-command-lines.ts";
import { usePlatform } from "./platform/use-platform.ts";
import { useNotices } from "./notices.ts";

/** Terminals silently drop longer clipboard sequences. */
const maximumCharacters = 50_000;

/** Copies a text and shows it, or only the words for a secret. */
export function useCopy(): (text: string, words?: string) => void {
  const screen = useScreen();
  const { say } = useNotices();
  return (text, words = text) => {
    if (text === "") return;
    const cut = text.slice(0, maximumCharacters);
    screen.send(clipboardSequence(cut));
    if (cut === text) say("done", `copied: ${words}`);
    else say("note", `copied the first ${countWords(maximumCharacters)} characters`);
  };
}

type Copy<Write> = Write extends (...given: infer Given) => string
  ? (...given: Given) => void
  : never;

/** Copies commands that do the same from another shell; a part of one would do something else. */
export function useCopyCommand(): {
  readonly line: (command: string) => void;
  readonly inWorkspace: Copy<WriteCommand>;
  readonly onPlatform: Copy<WriteCommand>;
} {
  const screen = useScreen();
  const { say } = useNotices();
  const { commandNeeds: needs } = usePlatform().session;
  const commands = useCommandLines();
  const line = (command: string) => {
    if (command.length > maximumCharacters) {
      say("note", `the command has more than ${countWords(maximumCharacters)} characters`);
      return;
    }
    screen.send(clipboardSequence(command));
    say("done", `copied${needs === undefined ? "" : ` (it needs ${needs})`}: ${command}`);
  };
  return {
    line,
    inWorkspace: (words, options) => line(commands.inWorkspace(words, options)),
    onPlatform: (words, options) => line(commands.onPlatform(words, options)),
  };
}
