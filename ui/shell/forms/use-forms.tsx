import { createContext, useMemo, useState, type ReactNode } from "react";
import type { JsonObject } from "#client/index.ts";
import type { FormSubject } from "../../kit/forms/form-model.ts";
import type { FormStart, Theirs } from "../../kit/forms/form-session.ts";
import { useNotices } from "../use-notices.tsx";
import { useProvided } from "../../kit/state/use-provided.ts";

export interface SaveOptions {
  /** The version that the data was made from; none for what is not guarded by one. */
  readonly version: number | undefined;
  /** The same for the same data: what was saved though no answer came is not saved twice. */
  readonly idempotencyKey: string;
}

/** What becomes of what is filled in. */
export interface FormTarget {
  /** Saves; gives the words that say so. */
  readonly save: (data: JsonObject, options: SaveOptions) => Promise<string>;
  /** The record as it is now, for when somebody else was quicker. */
  readonly current?: (() => Promise<Theirs>) | undefined;
  /** What a form with this in it is about by now; nothing where its type is what it was. */
  readonly renewed?: ((mine: JsonObject) => Promise<FormSubject | undefined>) | undefined;
  /** The command that does the same. */
  readonly command: (data: JsonObject, version: number | undefined) => string;
}

/** A form to be filled in. */
export interface FormRequest extends FormTarget {
  /** What it does, e.g. `Edit PA-2026-0042`. */
  readonly title: string;
  readonly subject: FormSubject;
  readonly version?: number | undefined;
  readonly start?: FormStart | undefined;
  /** Offers records of an Object Type to choose from, `chosen` already being in a list; gives an id. */
  readonly pickRecord?: (
    objectType: string,
    chosen: ReadonlySet<string>,
    onPick: (id: string) => void,
  ) => void;
  /** Where it goes when somebody has deleted the record meanwhile. */
  readonly anew?: FormTarget | undefined;
}

interface Forms {
  readonly shown: { readonly id: number; readonly request: FormRequest } | undefined;
  open(request: FormRequest): void;
  close(): void;
}

const FormContext = createContext<Forms | undefined>(undefined);

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

/** The form over the screen; questions and choices can stand over it. */
export function useForms(): Forms {
  return useProvided(FormContext, "FormsProvider");
}
