import { useMemo, useRef, useState, type ReactNode } from "react";
import type {
  Choice,
  ColumnQuestion,
  Pending,
  Question,
  TextQuestion,
} from "../../kit/dialogs/questions.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { requiredContext } from "../../kit/state/required-context.ts";
import type { Work } from "../../kit/state/work.ts";
import { useNotices } from "../use-notices.tsx";

/** The overlay over the screen, one at a time. */
export type OverlayState =
  | {
      readonly kind: "choose";
      readonly title: string;
      readonly placeholder: string;
      readonly choices: readonly Choice[];
    }
  | { readonly kind: "palette"; readonly bindings: readonly Binding[] }
  | { readonly kind: "confirm"; readonly question: Question }
  | { readonly kind: "search"; readonly objectType: string | undefined }
  | { readonly kind: "work"; readonly work: Work }
  | { readonly kind: "wait"; readonly pending: Pending }
  | { readonly kind: "columns"; readonly question: ColumnQuestion }
  | { readonly kind: "ask"; readonly question: TextQuestion }
  | { readonly kind: "file"; readonly title: string; readonly onPick: (path: string) => void }
  | { readonly kind: "help"; readonly bindings: readonly Binding[] };

interface Overlays {
  /** A new id for each opening, so that a dialog starts without the text of the one before it. */
  readonly shown: { readonly id: number; readonly overlay: OverlayState } | undefined;
  show(overlay: OverlayState): void;
  choose(question: Omit<Extract<OverlayState, { kind: "choose" }>, "kind">): void;
  confirm(question: Question): void;
  ask(question: TextQuestion): void;
  wait(pending: Pending): void;
  work(work: Work): void;
  close(): void;
}

/** Dialogs, the palette and the help over the screen. */
const [OverlayContext, useOverlays] = requiredContext<Overlays>("OverlayProvider");
export { useOverlays };

export function OverlayProvider(props: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Overlays["shown"]>(undefined);
  const nextId = useRef(0);
  const { clear } = useNotices();
  const overlays = useMemo<Overlays>(() => {
    const show = (overlay: OverlayState) => {
      clear();
      setShown({ id: (nextId.current += 1), overlay });
    };
    return {
      shown,
      show,
      choose: (question) => show({ kind: "choose", ...question }),
      confirm: (question) => show({ kind: "confirm", question }),
      ask: (question) => show({ kind: "ask", question }),
      wait: (pending) => show({ kind: "wait", pending }),
      work: (work) => show({ kind: "work", work }),
      close: () => setShown(undefined),
    };
  }, [shown, clear]);
  return <OverlayContext value={overlays}>{props.children}</OverlayContext>;
}
