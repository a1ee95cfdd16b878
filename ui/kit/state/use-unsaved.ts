import { useEffect, useEffectEvent } from "react";
import { Part, usePart } from "./part.ts";

/** Names a text that is lost when the dashboard ends; `undefined` while there is none. */
type Report = () => string | undefined;

/** The texts that the user typed and did not save or send. */
export class Unsaved {
  readonly #reports = new Set<Report>();

  add(report: Report): () => void {
    this.#reports.add(report);
    return () => this.#reports.delete(report);
  }

  texts(): readonly string[] {
    return [...this.#reports].flatMap((report) => report() ?? []);
  }
}

export const unsavedPart = new Part<Unsaved>("list of unsaved texts");

/** Reports an unsaved text while the component is mounted. */
export function useUnsaved(report: Report): void {
  const unsaved = usePart(unsavedPart);
  const latest = useEffectEvent(report);
  useEffect(() => unsaved.add(() => latest()), [unsaved]);
}
