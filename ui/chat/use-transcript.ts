import { useColours } from "../kit/theme/use-look.tsx";
import { useMemo, useState } from "react";
import type { Size } from "../kit/panes/layout.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import {
  TranscriptLines,
  type CitationPlace,
  type Message,
  type TranscriptView,
} from "./transcript.ts";
import { useShownSession } from "./use-question-field.ts";

export interface Transcript {
  readonly view: TranscriptView;
  readonly top: number;
  readonly below: number;
  readonly selected: CitationPlace | undefined;
  readonly scroll: (by: number) => void;
  readonly scrollToEnd: () => void;
  /** Selects the next citation, or an earlier one, starting with those of the newest answer. */
  readonly selectCitation: (by: number) => void;
  readonly deselect: () => void;
}

/** A citation by its message: the number of those before it grows with older messages. */
interface ChosenCitation {
  readonly messageId: number;
  readonly index: number;
}

function places(messages: readonly Message[]): ChosenCitation[] {
  return messages.flatMap(({ id, citations }) =>
    citations.map((_, index) => ({ messageId: id, index })),
  );
}

/**
 * A conversation in a window, which follows its end unless it was scrolled up. `onNearTop` is
 * called when it is scrolled to less than a page from its first line.
 */
export function useTranscript(
  messages: readonly Message[],
  { width, height }: Size,
  onNearTop: () => void,
): Transcript {
  const colours = useColours();
  const [transcript] = useState(() => new TranscriptLines());
  const { key } = useShownSession();
  const [place, setPlace] = useRemembered<ChosenCitation | undefined>(
    `${key} chat citation`,
    undefined,
  );
  const [above, setAbove] = useRemembered(`${key} chat above`, 0);
  const chosen = useMemo(() => {
    const at = places(messages).findIndex(
      ({ messageId, index }) => messageId === place?.messageId && index === place.index,
    );
    return at === -1 ? undefined : at;
  }, [messages, place]);
  const view = useMemo(
    () => transcript.of(key).view(messages, width, colours, chosen),
    [transcript, key, messages, width, colours, chosen],
  );
  const lowest = Math.max(0, view.lines.length - height);
  const selected = chosen === undefined ? undefined : view.citations[chosen];
  const wished =
    selected === undefined
      ? lowest - above
      : Math.min(lowest, selected.line - Math.floor(height / 2));
  const top = Math.max(0, wished);
  return {
    view,
    top,
    below: lowest - top,
    selected,
    scroll: (by) => {
      setPlace(undefined);
      const next = Math.max(0, Math.min(lowest, lowest - top - by));
      setAbove(next);
      if (by < 0 && lowest - next < height) onNearTop();
    },
    scrollToEnd: () => setAbove(0),
    selectCitation: (by) => {
      const count = view.citations.length;
      if (count === 0) return;
      const inLast = messages.at(-1)?.citations.length ?? 0;
      const first = Math.max(0, count - Math.max(1, inLast));
      setPlace(places(messages)[chosen === undefined ? first : (chosen + by + count) % count]);
    },
    deselect: () => setPlace(undefined),
  };
}
