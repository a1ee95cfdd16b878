import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { useRememberedCell } from "../../kit/state/use-remembered.ts";
import { useStore, type Cell } from "../../kit/state/store.ts";

/** The type whose records are the shared views of the dashboard. */
export const viewType = "dashboard-view";

interface ShownTypes {
  /** Types whose records configure workflows and apps are shown next to those of work, and ids. */
  readonly configuration: boolean;
}

/** The name of the choice, and its start, for code that runs in each step of a cursor. */
export const shownTypesName = "types shown";
export const ofWork: ShownTypes = { configuration: false };

/** The choice of the shown types, by workspace. */
export function useShownTypesCell(): Cell<ShownTypes> {
  return useRememberedCell(shownTypesName, ofWork);
}

/** The types of work, and those of configuration where they are shown or open. */
export function shownTypes<Type extends Pick<ObjectType, "slug">>(
  types: readonly Type[],
  { configuration }: ShownTypes,
  open?: string,
): readonly Type[] {
  if (configuration) return types;
  const isOfWork = (slug: string) => !isConfigurationType(slug) && slug !== viewType;
  const work = types.filter(({ slug }) => slug === open || isOfWork(slug));
  // A workspace of nothing else shows them.
  return work.length === 0 ? types : work;
}

/** True while ids are left out where a name says the same. */
export function useHidesIds(): boolean {
  return !useStore(useShownTypesCell()).configuration;
}

export function useShownTypes(types: readonly ObjectType[], open?: string): readonly ObjectType[] {
  const shown = useStore(useShownTypesCell());
  return useMemo(() => shownTypes(types, shown, open), [types, shown, open]);
}
