import { clipboardSequence } from "../kit/text/command-line.ts";
import { useScreen } from "../screen.tsx";
import { countWords } from "../kit/text/words.ts";
import { useNotices } from "./use-notices.tsx";

/** Terminals silently drop longer clipboard sequences. */
const maximumCharacters = 50_000;

export function useCopy(): (text: string) => void {
  const screen = useScreen();
  const { say } = useNotices();
  return (text) => {
    if (text === "") return;
    const cut = text.slice(0, maximumCharacters);
    screen.send(clipboardSequence(cut));
    if (cut === text) say("done", `copied: ${text}`);
    else say("note", `copied the first ${countWords(maximumCharacters)} characters`);
  };
}
