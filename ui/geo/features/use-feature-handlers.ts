import type { GeoFeature } from "#contract/geo/features.ts";
import { given } from "#lib/given.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { useAct } from "../../kit/places/action.ts";
import type { PlaceNow, PlaceTable } from "../../kit/places/list-place.tsx";
import { useForms } from "../../shell/forms/forms.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRouter, type ShownDataset } from "../../shell/router.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import {
  featureChanges,
  featureCreation,
  featureData,
  featureFaults,
  featureFields,
  featureOptions,
  featureRemoval,
} from "./feature-form.ts";
import { featureName } from "./feature-words.ts";

export interface FeaturesProps {
  readonly dataset: ShownDataset;
}

export type FeaturesNow = PlaceNow<GeoFeature, PlaceTable<GeoFeature>, FeaturesProps>;

/** Returns functions that create and change features by a form. */
function useFeatureForms(dataset: ShownDataset, { list }: PlaceTable<GeoFeature>) {
  const { client, tenantId } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  const nameOf = (feature: GeoFeature) => featureName(feature, dataset.names);
  const params = { dataset: dataset.id };

  const create = (): void => {
    if (client === undefined) return;
    const fields = featureFields("new");
    forms.open({
      title: `Create a feature of ${dataset.title}`,
      subject: { fields, data: initialData(fields), check: featureFaults },
      save: async (data, { idempotencyKey }) => {
        const body = featureCreation(data);
        const made = await client.geoFeatures.create({ tenantId, params, body, idempotencyKey });
        list.reveal(made.id);
        return `created ${nameOf(made)}`;
      },
      command: (data) => {
        const { id, geometry, properties } = featureCreation(data);
        const settings = featureOptions(given({ geometry: geometry ?? undefined, properties }));
        return commands.inWorkspace(["geo", "features", "create", dataset.id], { id, ...settings });
      },
    });
  };

  const edit = (feature: GeoFeature): void => {
    if (client === undefined) return;
    const { id } = feature;
    forms.open({
      title: `Change ${nameOf(feature)}`,
      subject: {
        fields: featureFields("existing"),
        data: featureData(feature),
        check: featureFaults,
      },
      save: async (data) => {
        const body = featureChanges(feature, data);
        const changed = await client.geoFeatures.update({
          tenantId,
          params: { ...params, feature: id },
          body,
        });
        list.refresh();
        return `changed ${nameOf(changed)}`;
      },
      command: (data) => {
        const options = featureOptions(featureChanges(feature, data));
        return (
          options && commands.inWorkspace(["geo", "features", "update", dataset.id, id], options)
        );
      },
    });
  };

  return { create, edit };
}

/** The keys of a dataset's features. */
export function useFeatureHandlers({ props, table, panes, opened }: FeaturesNow) {
  const { dataset } = props;
  const { go } = useRouter();
  const act = useAct();
  const { create, edit } = useFeatureForms(dataset, table);
  const remove = (feature: GeoFeature): void => {
    const name = featureName(feature, dataset.names);
    const subject = { dataset: dataset.id, id: feature.id, name };
    act(featureRemoval, subject, (answer) => {
      table.list.refresh();
      if (answer !== undefined) panes.close();
    });
  };

  return {
    createFeature: create,
    editFeature: opened.act(edit),
    deleteFeature: opened.act(remove),
    map: () => go({ place: "geo", dataset, map: true }),
  };
}
