import { useCallback, useMemo, useState, type ReactNode } from "react";
import { columnsPlace, readChosenColumns, withColumns } from "./chosen-columns.ts";
import { trackWork } from "../../kit/state/work.ts";
import { useHostActions } from "../../shell/platform/use-host-actions.ts";
import { useNotices } from "../../shell/use-notices.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { requiredContext } from "../../kit/state/required-context.ts";

interface ColumnChoices {
  readonly of: (place: string) => readonly string[] | undefined;
  readonly keep: (place: string, names: readonly string[] | undefined) => void;
}

const [ColumnsContext, useColumnChoices] = requiredContext<ColumnChoices>("ChosenColumnsProvider");

export function ChosenColumnsProvider(props: {
  /** The columns in the profile, unchecked. */
  readonly start: unknown;
  readonly children: ReactNode;
}) {
  const { storeColumns } = useHostActions();
  const { sayFailure } = useNotices();
  const [columns, setColumns] = useState(() => readChosenColumns(props.start));
  const choices = useMemo<ColumnChoices>(
    () => ({
      of: (place) => columns.get(place),
      keep: (place, names) => {
        setColumns((now) => withColumns(now, place, names));
        // The exit waits for this write.
        trackWork(storeColumns(place, names)).catch(sayFailure);
      },
    }),
    [columns, storeColumns, sayFailure],
  );
  return <ColumnsContext value={choices}>{props.children}</ColumnsContext>;
}

/** The columns that the user chose for a type in this workspace, and their setter. */
export function useChosenColumns(objectType: string) {
  const choices = useColumnChoices();
  const place = columnsPlace(usePlatform().tenantId ?? "", objectType);
  const { of, keep } = choices;
  const set = useCallback(
    (names: readonly string[] | undefined) => keep(place, names),
    [keep, place],
  );
  return [of(place), set] as const;
}
