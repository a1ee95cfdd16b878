import type { ReportRow } from "#contract/geo/reports.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";
import type { PlaceNow, PlaceTable } from "../../kit/places/list-place.tsx";
import { localDateWords, sizeWords } from "../../kit/text/words.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import type { ShownReport } from "../../shell/router.ts";

export interface RowsProps {
  readonly report: ShownReport;
  /** The stored result; undefined for a run. */
  readonly result: { readonly result: string; readonly at: string } | undefined;
}

const forms = [
  { form: "csv", words: "CSV: the rows" },
  { form: "geojson", words: "GeoJSON: the rows with outlines of areas and cells" },
  { form: "svg", words: "SVG: a map" },
] as const;
type Form = (typeof forms)[number]["form"];

/** The key that saves the rows of a report to a file. */
export function useRowsFile({ props }: PlaceNow<ReportRow, PlaceTable<ReportRow>, RowsProps>) {
  const { report, result } = props;
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const savePath = useSavePath();

  const save = (form: Form, target: SaveTarget): void => {
    if (client === undefined) return;
    overlays.work({
      title: `Save ${report.title}`,
      counted: "written",
      wordsOf: sizeWords,
      stop: "stops; no file is written",
      run: async (_, signal) => {
        try {
          const { readContent } = await import("#client/files/content.ts");
          const options = { tenantId, signal, result: result?.result };
          const response = await client.reportFile(report.id, form, options);
          const bytes = await saveFile(target, readContent(response, undefined, signal).chunks());
          return { good: true, lines: [`saved ${target.path}, ${sizeWords(bytes)}`] };
        } catch (error) {
          return saveFailure(error, target);
        }
      },
    });
  };

  const choose = () =>
    overlays.choose({
      title: `Save ${report.title} as`,
      placeholder: "a form",
      choices: forms.map(({ form, words }) => ({
        id: form,
        words,
        choose: () =>
          savePath({
            title: `Save ${report.title}`,
            words: "The file for the rows; only you can read it.",
            filename: `${report.id}-${localDateWords(Date.now())}.${form}`,
            onTarget: (target) => save(form, target),
          }),
      })),
    });
  return { saveRows: choose };
}
