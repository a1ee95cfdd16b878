import { clipboardSequence } from "../command-line.ts";
import { useScreen } from "../screen.tsx";
import { useNotices } from "./use-notices.tsx";

/** Copies text and says so. */
export function useCopy(): (text: string) => void {
  const screen = useScreen();
  const { say } = useNotices();
  return (text) => {
    screen.send(clipboardSequence(text));
    say("done", `copied: ${text}`);
  };
}
