import type { DialogProps } from "../../kit/dialogs/overlay.tsx";
import { useStore } from "../../kit/state/store.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { clockWords } from "../../kit/text/words.ts";
import type { Token } from "../../kit/theme/skin.ts";
import { useNotices, type LoggedNotice } from "../notices.ts";
import { TextOverlay } from "./text-overlay.tsx";

const looks: Readonly<Record<LoggedNotice["kind"], readonly [glyph: string, as: Token]>> = {
  done: ["✓", "good"],
  note: ["·", "quiet"],
  failed: ["✗", "bad"],
  command: ["$", "key"],
};
const widest = 100;
/** Columns of the time and the glyph. */
const headWidth = 13;

/** One notice: its time, its glyph, and its whole text. */
export function noticeLines({ atMs, kind, words }: LoggedNotice, width: number): StyledLine[] {
  const [glyph, as] = looks[kind];
  return textLines(words, Math.max(1, width - headWidth - 1)).map((line, index) => [
    index === 0 ? { text: ` ${clockWords(atMs)} `, as: "quiet" } : { text: " ".repeat(10) },
    { text: index === 0 ? `${glyph}  ` : "   ", as },
    ...line,
  ]);
}

/** The log of notices, newest first, with the commands of confirmed actions. */
export function NoticesOverlay(props: DialogProps) {
  const log = useStore(useNotices().log);
  const width = Math.min(widest, props.columns);
  const none: StyledLine = [{ text: " Nothing has happened yet.", as: "quiet" }];
  const lines = log.length === 0 ? [none] : log.flatMap((each) => noticeLines(each, width - 2));
  return <TextOverlay {...props} title="Notices and commands" width={width} lines={lines} />;
}
