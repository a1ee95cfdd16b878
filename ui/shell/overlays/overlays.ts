import type {
  Choice,
  ColumnQuestion,
  LoadChoices,
  Pending,
  Question,
  TextQuestion,
} from "../../kit/dialogs/questions.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { Part, usePart } from "../../kit/state/part.ts";
import { Store } from "../../kit/state/store.ts";
import type { Work } from "../../kit/state/work.ts";

/** The overlay over the screen, one at a time. */
export type OverlayState =
  | {
      readonly kind: "choose";
      readonly title: string;
      readonly placeholder: string;
      readonly choices: readonly Choice[];
      readonly more?: LoadChoices | undefined;
    }
  | { readonly kind: "palette"; readonly bindings: readonly Binding[] }
  /** Does what a line of the palette says; nothing is drawn. */
  | { readonly kind: "line"; readonly line: string; readonly bindings: readonly Binding[] }
  | { readonly kind: "confirm"; readonly question: Question }
  | { readonly kind: "search"; readonly objectType: string | undefined }
  | { readonly kind: "work"; readonly work: Work }
  | { readonly kind: "wait"; readonly pending: Pending }
  | { readonly kind: "columns"; readonly question: ColumnQuestion }
  | { readonly kind: "ask"; readonly question: TextQuestion }
  | {
      readonly kind: "file";
      readonly title: string;
      readonly onPick: (path: string) => void;
      /** The effect of picking a file, which `onOptions` lets the user change. */
      readonly note?: string | undefined;
      readonly onOptions?: ((path: string) => void) | undefined;
      /** Picks a folder with all that is in it. */
      readonly onFolder?: ((path: string) => void) | undefined;
    }
  | { readonly kind: "notices" }
  | { readonly kind: "help"; readonly bindings: readonly Binding[] };

interface Shown {
  /** A new id for each opening, so that a dialog starts without the text of the one before it. */
  readonly id: number;
  readonly overlay: OverlayState;
}

/** Dialogs, the palette and the help over the screen. */
export class Overlays {
  readonly shown = new Store<Shown | undefined>(undefined);
  readonly #onOpen: () => void;
  #lastId = 0;

  constructor(onOpen: () => void) {
    this.#onOpen = onOpen;
  }

  readonly show = (overlay: OverlayState): void => {
    this.#onOpen();
    this.#lastId += 1;
    this.shown.set({ id: this.#lastId, overlay });
  };

  readonly close = (): void => this.shown.set(undefined);

  choose(question: Omit<Extract<OverlayState, { kind: "choose" }>, "kind">): void {
    this.show({ kind: "choose", ...question });
  }

  confirm(question: Question): void {
    this.show({ kind: "confirm", question });
  }

  ask(question: TextQuestion): void {
    this.show({ kind: "ask", question });
  }

  wait(pending: Pending): void {
    this.show({ kind: "wait", pending });
  }

  work(work: Work): void {
    this.show({ kind: "work", work });
  }
}

export const overlaysPart = new Part<Overlays>("overlays");

export function useOverlays(): Overlays {
  return usePart(overlaysPart);
}
