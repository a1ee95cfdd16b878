import type { GeoDataset } from "#contract/geo/datasets.ts";
import { lineDetail } from "../../kit/places/line-detail.tsx";
import { listPlace } from "../../kit/places/list-place.tsx";
import { ageWords, countWords } from "../../kit/text/words.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { geoKeys, type GeoKeys } from "../keys.ts";
import { datasetRemoval } from "./actions.ts";
import { datasetLines, datasetTitle } from "./dataset-words.ts";
import { useDatasetHandlers } from "./use-dataset-handlers.ts";

const keyOf = ({ dataset }: GeoDataset) => dataset;

function useNamesOf(row: GeoDataset | undefined) {
  const nameOf = useNames(memberNamesPart, [row?.created_by, row?.updated_by]);
  return { value: nameOf, failure: undefined };
}

/** The datasets of the workspace, the newest first. */
export const Datasets = listPlace<GeoDataset, GeoKeys>({
  name: "datasets",
  title: "Datasets",
  loading: "Loading the datasets",
  list: {
    question: "geoDatasets.list",
    keyOf,
    ask: (client, { tenantId, signal, query }) =>
      client.geoDatasets.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    { id: "dataset", title: "dataset", value: keyOf, priority: 0, pinned: true, minimum: 16 },
    { id: "title", title: "title", value: ({ title }) => title ?? "", priority: 2, maximum: 40 },
    {
      id: "features",
      title: "features",
      align: "right",
      value: ({ features }) => (features === undefined ? "" : countWords(features)),
      priority: 1,
    },
    { id: "licence", title: "licence", value: ({ licence }) => licence ?? "", priority: 4 },
    {
      id: "changed",
      title: "changed",
      value: ({ updated_at: at }) => ageWords(at, nowMs),
      priority: 3,
    },
    { id: "source", title: "source", value: ({ source }) => source ?? "", priority: 5 },
  ],
  actions: { deleteDataset: datasetRemoval },
  useHandlers: useDatasetHandlers,
  copied: keyOf,
  command: (row) =>
    row === undefined ? [["geo", "datasets", "list"]] : [["geo", "datasets", "show", row.dataset]],
  missing: { words: "This platform has no datasets of places." },
  empty: {
    words: "This workspace has no datasets of places.",
    offer: [geoKeys.createDataset, "creates one, into which a file is imported"],
  },
  Detail: lineDetail<GeoDataset, NameOf>({
    kind: "dataset",
    title: datasetTitle,
    keyOf,
    useFurther: useNamesOf,
    lines: (dataset, { value, ...area }) => datasetLines(dataset, area, value),
  }),
});
