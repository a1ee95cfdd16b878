import type { GeoDataset } from "#contract/geo/datasets.ts";
import { counted } from "#lib/text/counted.ts";
import type { Action } from "../../kit/places/action.ts";
import { datasetTitle } from "./dataset-words.ts";

/** Deletes a dataset; its name is typed before, since nothing brings its features back. */
export const datasetRemoval: Action<GeoDataset> = {
  question: {
    title: (dataset) => `Delete ${datasetTitle(dataset)}`,
    effects: ({ features = 0 }) => [
      `the dataset and ${counted(features, "feature")}`,
      "reports by its areas can no longer run",
      "this has no undo",
    ],
    command: ({ dataset }) => [["geo", "datasets", "delete", dataset], { force: true }],
    typed: ({ dataset }) => dataset,
  },
  removes: true,
  run: async (client, { dataset }, tenantId) => {
    await client.geoDatasets.remove({ tenantId, params: { dataset } });
    return true;
  },
  done: (dataset) => `deleted ${datasetTitle(dataset)}`,
};
