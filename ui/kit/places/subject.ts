import { useLayoutEffect } from "react";
import { Part, usePart } from "../state/part.ts";

/** The row of the shown list that a key would act on, looked up at the time of the key. */
export class Subject {
  readonly #lists = new Map<symbol, () => unknown>();

  /** Adds a list; the one that was shown last has the subject. */
  add(get: () => unknown): () => void {
    const id = Symbol("list");
    this.#lists.set(id, get);
    return () => this.#lists.delete(id);
  }

  get(): unknown {
    return [...this.#lists.values()].at(-1)?.();
  }
}

export const subjectPart = new Part<Subject>("subject");

/** Makes the opened row of a list the subject of the user's keys, and returns it. */
export function useSubject<Opened extends { readonly current: () => unknown }>(
  opened: Opened,
): Opened {
  const subject = usePart(subjectPart);
  const { current } = opened;
  useLayoutEffect(() => subject.add(current), [subject, current]);
  return opened;
}
