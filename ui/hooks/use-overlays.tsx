import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import type { TextQuestion } from "../components/ask-dialog.tsx";
import type { ColumnQuestion } from "../components/column-chooser.tsx";
import type { Question } from "../components/confirm-dialog.tsx";
import type { Choice } from "../components/palette.tsx";
import type { Binding } from "../keys.ts";
import type { Work } from "../work.ts";

/** What stands over the screen, one at a time. */
export type OverlayState =
  | {
      readonly kind: "choose";
      readonly title: string;
      readonly placeholder: string;
      readonly choices: readonly Choice[];
    }
  | { readonly kind: "confirm"; readonly question: Question }
  | { readonly kind: "search"; readonly objectType: string | undefined }
  | { readonly kind: "work"; readonly work: Work }
  | { readonly kind: "columns"; readonly question: ColumnQuestion }
  | { readonly kind: "ask"; readonly question: TextQuestion }
  | { readonly kind: "file"; readonly title: string; readonly onPick: (path: string) => void }
  | { readonly kind: "help"; readonly bindings: readonly Binding[] };

interface Overlays {
  readonly shown: OverlayState | undefined;
  show(overlay: OverlayState): void;
  close(): void;
}

const OverlayContext = createContext<Overlays | undefined>(undefined);

export function OverlayProvider(props: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<OverlayState | undefined>(undefined);
  const overlays = useMemo<Overlays>(
    () => ({ shown, show: setShown, close: () => setShown(undefined) }),
    [shown],
  );
  return <OverlayContext value={overlays}>{props.children}</OverlayContext>;
}

/** Questions, choices and help over the screen. */
export function useOverlays(): Overlays {
  const overlays = useContext(OverlayContext);
  if (overlays === undefined) throw new Error("useOverlays needs an OverlayProvider above it");
  return overlays;
}
