import type { GeoDataset } from "#contract/geo/datasets.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { PlaceNow, PlaceTable } from "../../kit/places/list-place.tsx";
import { useForms } from "../../shell/forms/forms.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRouter, type ShownDataset } from "../../shell/router.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import {
  datasetChanges,
  datasetCreation,
  datasetData,
  datasetFields,
  datasetOptions,
} from "./dataset-form.ts";
import { datasetTitle } from "./dataset-words.ts";
import { useDatasetImport } from "./use-dataset-import.ts";

function shownOf(dataset: GeoDataset): ShownDataset {
  const { nameProperties: names = [] } = dataset;
  return { id: dataset.dataset, title: datasetTitle(dataset), names };
}

/** The keys of the datasets: forms, imports, and the ways to their features. */
export function useDatasetHandlers({
  table,
  opened,
}: PlaceNow<GeoDataset, PlaceTable<GeoDataset>>) {
  const { list } = table;
  const { client, tenantId } = usePlatform();
  const { go } = useRouter();
  const forms = useForms();
  const commands = useCommandLines();
  const importInto = useDatasetImport(list.refresh);

  const create = (): void => {
    if (client === undefined) return;
    const fields = datasetFields("new");
    forms.open({
      title: "Create a dataset",
      subject: { fields, data: initialData(fields), check: () => [] },
      save: async (data, { idempotencyKey }) => {
        const body = datasetCreation(data);
        const made = await client.geoDatasets.create({ tenantId, body, idempotencyKey });
        list.reveal(made.dataset);
        return `created ${datasetTitle(made)}`;
      },
      command: (data) => {
        const { dataset, ...settings } = datasetCreation(data);
        return commands.inWorkspace(
          ["geo", "datasets", "create", dataset],
          datasetOptions(settings),
        );
      },
    });
  };

  const edit = (dataset: GeoDataset): void => {
    if (client === undefined) return;
    const { dataset: name } = dataset;
    forms.open({
      title: `Change ${datasetTitle(dataset)}`,
      subject: { fields: datasetFields("existing"), data: datasetData(dataset), check: () => [] },
      save: async (data) => {
        const body = datasetChanges(dataset, data);
        const changed = await client.geoDatasets.update({
          tenantId,
          params: { dataset: name },
          body,
        });
        list.refresh();
        return `changed ${datasetTitle(changed)}`;
      },
      command: (data) =>
        commands.inWorkspace(
          ["geo", "datasets", "update", name],
          datasetOptions(datasetChanges(dataset, data)),
        ),
    });
  };

  return {
    createDataset: create,
    editDataset: opened.act(edit),
    importFeatures: opened.act(importInto),
    features: opened.act((row) => go({ place: "geo", dataset: shownOf(row) })),
    // The key is that of several nouns, and has no reason for an empty list.
    map:
      list.count === 0
        ? undefined
        : opened.act((row) => go({ place: "geo", dataset: shownOf(row), map: true })),
  };
}
