import { useMemo, useState, type ReactNode } from "react";
import type { JsonObject } from "#client/index.ts";
import type { FormSubject } from "../../kit/forms/form-model.ts";
import type { FormStart, Theirs } from "../../kit/forms/form-session.ts";
import { useNotices } from "../use-notices.tsx";
import { requiredContext } from "../../kit/state/required-context.ts";

export interface SaveOptions {
  /** The version that was edited; absent where versions are not checked. */
  readonly version: number | undefined;
  /** The same for the same data, so that a save without a response is not repeated. */
  readonly idempotencyKey: string;
}

export interface FormTarget {
  /** Saves the data and returns the message about it; none where a dialog reports the outcome. */
  readonly save: (data: JsonObject, options: SaveOptions) => Promise<string | undefined>;
  /** Reads the current record after a conflict of versions. */
  readonly current?: (() => Promise<Theirs>) | undefined;
  /** The form's fields after a change of its type; `undefined` without a change. */
  readonly renewed?: ((mine: JsonObject) => Promise<FormSubject | undefined>) | undefined;
  /** The command that saves the same; absent where no single one does. */
  readonly command?: ((data: JsonObject, version: number | undefined) => string) | undefined;
}

export interface FormRequest extends FormTarget {
  /** Its action, e.g. `Edit PA-2026-0042`. */
  readonly title: string;
  readonly subject: FormSubject;
  readonly version?: number | undefined;
  readonly start?: FormStart | undefined;
  /** Lets the user choose a record of an Object Type; `chosen` are in the list already. */
  readonly pickRecord?: (
    objectType: string,
    chosen: ReadonlySet<string>,
    onPick: (id: string) => void,
  ) => void;
  /** Saves the data of a record that was deleted meanwhile. */
  readonly recreate?: FormTarget | undefined;
}

interface Forms {
  readonly shown: { readonly id: number; readonly request: FormRequest } | undefined;
  open(request: FormRequest): void;
  close(): void;
}

/** The form over the screen; dialogs open above it. */
const [FormContext, useForms] = requiredContext<Forms>("FormsProvider");
export { useForms };

export function FormsProvider(props: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Forms["shown"]>(undefined);
  const { clear } = useNotices();
  const forms = useMemo<Forms>(
    () => ({
      shown,
      open: (request) => {
        clear();
        setShown((now) => ({ id: (now?.id ?? 0) + 1, request }));
      },
      close: () => setShown(undefined),
    }),
    [shown, clear],
  );
  return <FormContext value={forms}>{props.children}</FormContext>;
}
