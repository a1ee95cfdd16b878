import { useMemo, useState } from "react";
import type { Size } from "../kit/panes/layout.ts";
import {
  TranscriptLines,
  type CitationPlace,
  type TranscriptView,
  type Turn,
} from "./transcript.ts";
import { useColours } from "../kit/state/use-environment.tsx";
import { useRemembered } from "../kit/state/use-remembered.tsx";

export interface Transcript {
  readonly view: TranscriptView;
  /** The first line that is shown. */
  readonly top: number;
  /** Lines below those that are shown. */
  readonly below: number;
  /** The citation that is walked to. */
  readonly place: CitationPlace | undefined;
  readonly scroll: (by: number) => void;
  /** To the next citation, or an earlier one; the newest answer's first comes first. */
  readonly walk: (by: number) => void;
  /** Leaves the citation. */
  readonly release: () => void;
  readonly toEnd: () => void;
}

/** A conversation in a window of so many cells, which stays at its end unless it was scrolled up. */
export function useTranscript(turns: readonly Turn[], { width, height }: Size): Transcript {
  const colours = useColours();
  const [transcript] = useState(() => new TranscriptLines());
  const [chosen, setChosen] = useRemembered<number | undefined>("chat citation", undefined);
  const [above, setAbove] = useRemembered("chat above", 0);
  const view = useMemo(
    () => transcript.view(turns, width, colours, chosen),
    [transcript, turns, width, colours, chosen],
  );
  const lowest = Math.max(0, view.lines.length - height);
  const place = chosen === undefined ? undefined : view.citations[chosen];
  const top =
    place === undefined
      ? Math.max(0, lowest - above)
      : Math.max(0, Math.min(lowest, place.line - Math.floor(height / 2)));
  return {
    view,
    top,
    below: lowest - top,
    place,
    scroll: (by) => {
      setChosen(undefined);
      setAbove(Math.max(0, Math.min(lowest, lowest - top - by)));
    },
    walk: (by) => {
      const count = view.citations.length;
      if (count === 0) return;
      // The newest answer's first source comes first: that is the one just read.
      const ofLast = turns.at(-1)?.citations.length ?? 0;
      const start = Math.max(0, count - Math.max(1, ofLast));
      setChosen((now) => (now === undefined ? start : (now + by + count) % count));
    },
    release: () => setChosen(undefined),
    toEnd: () => setAbove(0),
  };
}
