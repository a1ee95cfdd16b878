import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { requiredContext } from "./required-context.ts";

/** Names a text that is lost when the dashboard ends; `undefined` while there is none. */
type Report = () => string | undefined;

const [UnsavedContext, useReports] = requiredContext<Set<Report>>("UnsavedProvider");

/** Collects the texts that the user typed and did not save or send. */
export function UnsavedProvider(props: { readonly children: ReactNode }) {
  const [reports] = useState(() => new Set<Report>());
  return <UnsavedContext value={reports}>{props.children}</UnsavedContext>;
}

/** Reports an unsaved text while the component is mounted. */
export function useUnsaved(report: Report): void {
  const reports = useReports();
  const latest = useEffectEvent(report);
  useEffect(() => {
    const ask = () => latest();
    reports.add(ask);
    return () => {
      reports.delete(ask);
    };
  }, [reports]);
}

/** Returns the unsaved texts of the moment of the call. */
export function useUnsavedTexts(): () => readonly string[] {
  const reports = useReports();
  return () => [...reports].flatMap((report) => report() ?? []);
}
