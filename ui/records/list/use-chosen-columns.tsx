import { createContext, useCallback, useMemo, useState, type ReactNode } from "react";
import { columnsPlace, readChosenColumns, withColumns } from "./chosen-columns.ts";
import { trackWork } from "../../kit/state/work.ts";
import { useHostActions } from "../../shell/platform/use-host-actions.tsx";
import { useNotices } from "../../shell/use-notices.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useProvided } from "../../kit/state/use-provided.ts";

interface ColumnChoices {
  readonly of: (place: string) => readonly string[] | undefined;
  readonly keep: (place: string, names: readonly string[] | undefined) => void;
}

const ColumnsContext = createContext<ColumnChoices | undefined>(undefined);

export function ChosenColumnsProvider(props: {
  /** As it stands in the profile. */
  readonly start: unknown;
  readonly children: ReactNode;
}) {
  const { storeColumns } = useHostActions();
  const { sayFailure } = useNotices();
  const [kept, setKept] = useState(() => readChosenColumns(props.start));
  const choices = useMemo<ColumnChoices>(
    () => ({
      of: (place) => kept.get(place),
      keep: (place, names) => {
        setKept((now) => withColumns(now, place, names));
        // Somebody may leave at once; what they chose is written all the same.
        trackWork(storeColumns(place, names)).catch(sayFailure);
      },
    }),
    [kept, storeColumns, sayFailure],
  );
  return <ColumnsContext value={choices}>{props.children}</ColumnsContext>;
}

/** The columns that the user has chosen for a type in this workspace, and choosing others. */
export function useChosenColumns(
  objectType: string,
): readonly [
  names: readonly string[] | undefined,
  keep: (names: readonly string[] | undefined) => void,
] {
  const choices = useProvided(ColumnsContext, "ChosenColumnsProvider");
  const place = columnsPlace(usePlatform().tenantId ?? "", objectType);
  const { of, keep } = choices;
  return [of(place), useCallback((names) => keep(place, names), [keep, place])];
}
