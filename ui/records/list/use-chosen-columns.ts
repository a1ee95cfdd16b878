import { useCallback } from "react";
import { Part, usePart } from "../../kit/state/part.ts";
import { Store, useSelected } from "../../kit/state/store.ts";
import { trackWork } from "../../kit/state/work.ts";
import type { Notices } from "../../shell/notices.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import type { DashboardOptions } from "../../surface.ts";
import {
  columnsPlace,
  readChosenColumns,
  withColumns,
  type ChosenColumns,
} from "./chosen-columns.ts";

/** The columns that the user chose for tables, which the profile keeps. */
export class ColumnChoices {
  readonly all: Store<ChosenColumns>;
  readonly #host: DashboardOptions;
  readonly #notices: Notices;

  constructor(host: DashboardOptions, notices: Notices) {
    this.#host = host;
    this.#notices = notices;
    this.all = new Store(readChosenColumns(host.storedColumns));
  }

  keep(place: string, names: readonly string[] | undefined): void {
    this.all.set((now) => withColumns(now, place, names));
    // The exit waits for this write.
    trackWork(this.#host.actions.storeColumns(place, names)).catch(this.#notices.sayFailure);
  }
}

export const columnsPart = new Part<ColumnChoices>("chosen columns");

/** The columns that the user chose for a type in this workspace, and their setter. */
export function useChosenColumns(objectType: string) {
  const choices = usePart(columnsPart);
  const place = columnsPlace(usePlatform().tenantId ?? "", objectType);
  const names = useSelected(choices.all, (all) => all.get(place));
  const keep = useCallback(
    (next: readonly string[] | undefined) => choices.keep(place, next),
    [choices, place],
  );
  return [names, keep] as const;
}
