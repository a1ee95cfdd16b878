import { useMemo } from "react";
import type { ReportRow } from "#contract/geo/reports.ts";
import { lineDetail } from "../../kit/places/line-detail.tsx";
import { tablePlace, type PlaceTable, type TableRequest } from "../../kit/places/list-place.tsx";
import { countWords, localTimeWords } from "../../kit/text/words.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import { useAnsweredList } from "../../shell/platform/use-list.ts";
import type { GeoKeys } from "../keys.ts";
import {
  keyOfRow,
  rowColumns,
  rowLines,
  rowName,
  rowsWith,
  type ReportRows,
} from "./result-rows.ts";
import { useRowsFile, type RowsProps } from "./use-rows-file.ts";

const noRows: ReportRows = { rows: [] };

/** The rows of a run or of a stored result, which are asked for once and with each refresh. */
function useRowsTable({ props, filter, height }: TableRequest<RowsProps>): PlaceTable<ReportRow> {
  const { report, result } = props;
  const parts =
    result === undefined
      ? ["geoReports.run", report.id]
      : ["geoReports.result", report.id, result.result];
  const answer = useAnswer<ReportRows>(parts, async (client, signal, tenantId) => {
    const params = { report: report.id };
    if (result === undefined) return await client.geoReports.run({ tenantId, signal, params });
    const stored = await client.geoReports.result({
      tenantId,
      signal,
      params: { ...params, result: result.result },
    });
    return { ...stored, rows: stored.rows ?? [] };
  });
  const { value, failure } = answer;
  const shown = useMemo(() => value && rowsWith(value.rows, filter.text), [value, filter.text]);
  const list = useAnsweredList(parts.join(" "), { ...answer, value: shown }, keyOfRow, height);
  const columns = useMemo(() => rowColumns(value ?? noRows), [value]);
  const { items, placed } = value ?? noRows;
  const facts =
    items === undefined || failure !== undefined
      ? []
      : [`${countWords(placed ?? 0)} of ${countWords(items)} items are in a row`];
  return { list, columns, facts };
}

function whenWords(result: RowsProps["result"]): string {
  const at = Date.parse(result?.at ?? "");
  return Number.isNaN(at) ? "" : ` · ${localTimeWords(at)}`;
}

/** The rows of a report as a table: areas, cells or rings with figures, or the nearest items. */
export const Rows = tablePlace<ReportRow, GeoKeys, PlaceTable<ReportRow>, RowsProps>({
  name: ({ report, result }) => `rows ${report.id} ${result?.result ?? ""}`,
  title: ({ props }) => `${props.report.title}${whenWords(props.result)}`,
  loading: ({ report }) => `Running ${report.title}`,
  search: ({ report }) => ({
    key: `shown rows of ${report.id}`,
    label: "rows with",
    placeholder: "a part of their names",
    fact: "with",
    noMatch: "No row has this text in its name.",
  }),
  useTable: useRowsTable,
  useHandlers: useRowsFile,
  copied: rowName,
  command: (_, { props }) => [
    ["geo", "report", "run", props.report.id],
    { result: props.result?.result },
  ],
  empty: { words: "No item is in a row of this report." },
  Detail: lineDetail<ReportRow>({ kind: "row", title: rowName, keyOf: keyOfRow, lines: rowLines }),
});
