import { useEffect, useState } from "react";
import { failureHead, failureOf } from "../../kit/answers/failure.ts";
import { useSettled } from "../../kit/state/use-settled.ts";
import type { ImportSettings, OpenedImport, PreviewedRow } from "../../surface.ts";

/** Time without a change of the form before the rows are tried again. */
const settledMs = 300;

export interface ImportPreviewState {
  /** The rows as the form was a moment ago; undefined before the first answer. */
  readonly rows: readonly PreviewedRow[] | undefined;
  readonly problem: string | undefined;
}

/** The first rows of a file by the settings of its form, tried again after each change. */
export function useImportPreview(
  opened: OpenedImport,
  settings: ImportSettings,
): ImportPreviewState {
  const settled = useSettled(JSON.stringify(settings), settledMs);
  const [answer, setAnswer] = useState<ImportPreviewState>({
    rows: undefined,
    problem: undefined,
  });
  useEffect(() => {
    const aborter = new AbortController();
    const tried = JSON.parse(settled) as ImportSettings;
    opened.preview(tried, aborter.signal).then(
      (rows) => aborter.signal.aborted || setAnswer({ rows, problem: undefined }),
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        const problem = failureHead(failureOf(error));
        setAnswer({ rows: undefined, problem });
      },
    );
    return () => aborter.abort();
  }, [opened, settled]);
  return answer;
}
