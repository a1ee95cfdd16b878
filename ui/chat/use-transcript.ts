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

/** A conversation in a window, which follows its end unless it was scrolled up. */
export function useTranscript(messages: readonly Message[], { width, height }: Size): Transcript {
  const colours = useColours();
  const [transcript] = useState(() => new TranscriptLines());
  const [chosen, setChosen] = useRemembered<number | undefined>("chat citation", undefined);
  const [above, setAbove] = useRemembered("chat above", 0);
  const view = useMemo(
    () => transcript.view(messages, width, colours, chosen),
    [transcript, messages, width, colours, chosen],
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
      setChosen(undefined);
      setAbove(Math.max(0, Math.min(lowest, lowest - top - by)));
    },
    scrollToEnd: () => setAbove(0),
    selectCitation: (by) => {
      const count = view.citations.length;
      if (count === 0) return;
      const inLast = messages.at(-1)?.citations.length ?? 0;
      const first = Math.max(0, count - Math.max(1, inLast));
      setChosen((now) => (now === undefined ? first : (now + by + count) % count));
    },
    deselect: () => setChosen(undefined),
  };
}
