import type { ComponentType } from "react";
import type { JsonObject } from "#client/index.ts";
import type { FormSubject } from "../../kit/forms/form-model.ts";
import type { FormStart, Theirs } from "../../kit/forms/form-session.ts";
import { Part, usePart } from "../../kit/state/part.ts";
import { Store } from "../../kit/state/store.ts";

export interface SaveOptions {
  /** The version that was edited; absent where versions are not checked. */
  readonly version: number | undefined;
  /** Equal data have an equal key, so that a save without a response is not repeated. */
  readonly idempotencyKey: string;
}

export interface FormTarget {
  /** Saves the data and returns the message about it; none where a dialog reports the outcome. */
  readonly save: (data: JsonObject, options: SaveOptions) => Promise<string | undefined>;
  /** Reads the current record after a conflict of versions. */
  readonly current?: (() => Promise<Theirs>) | undefined;
  /** The form's fields after a change of its type; `undefined` without a change. */
  readonly renewed?: ((mine: JsonObject) => Promise<FormSubject | undefined>) | undefined;
  /** The command that saves the same; absent or undefined where no single one does. */
  readonly command?:
    | ((data: JsonObject, version: number | undefined) => string | undefined)
    | undefined;
}

export interface FormRequest extends FormTarget {
  /** Its action, e.g. `Edit PA-2026-0042`. */
  readonly title: string;
  readonly subject: FormSubject;
  readonly version?: number | undefined;
  /** Whether it is also saved as it was opened, such as a trial. */
  readonly savesUnchanged?: boolean;
  readonly start?: FormStart | undefined;
  /** Lets the user choose a record of an Object Type; `chosen` are in the list already. */
  readonly pickRecord?: (
    objectType: string,
    chosen: ReadonlySet<string>,
    onPick: (id: string) => void,
  ) => void;
  /** Drawn below the fields, such as a preview; the form has the whole screen then. */
  readonly Below?: ComponentType<BelowProps>;
  /** Saves the data of a record that was deleted meanwhile. */
  readonly recreate?: FormTarget | undefined;
}

/** A part of the form's screen, by the data as they are now. */
export interface BelowProps {
  readonly data: JsonObject;
  readonly width: number;
  readonly height: number;
}

interface ShownForm {
  readonly id: number;
  readonly request: FormRequest;
}

/** The form over the screen; dialogs open above it. */
export class Forms {
  readonly shown = new Store<ShownForm | undefined>(undefined);
  readonly #onOpen: () => void;
  #lastId = 0;

  constructor(onOpen: () => void) {
    this.#onOpen = onOpen;
  }

  readonly open = (request: FormRequest): void => {
    this.#onOpen();
    this.#lastId += 1;
    this.shown.set({ id: this.#lastId, request });
  };

  readonly close = (): void => this.shown.set(undefined);
}

export const formsPart = new Part<Forms>("forms");

export function useForms(): Forms {
  return usePart(formsPart);
}
