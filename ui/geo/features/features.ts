import { useMemo } from "react";
import type { GeoFeature } from "#contract/geo/features.ts";
import { given } from "#lib/given.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import { lineDetail } from "../../kit/places/line-detail.tsx";
import { tablePlace, type PlaceTable, type TableRequest } from "../../kit/places/list-place.tsx";
import { usePart } from "../../kit/state/part.ts";
import type { Column } from "../../kit/table/columns.ts";
import { geoKeys, type GeoKeys } from "../keys.ts";
import { featureFilter, featureQuery, queryOptions } from "./feature-query.ts";
import {
  featureLines,
  featureName,
  geometryType,
  metresWords,
  positionWords,
  propertyWords,
} from "./feature-words.ts";
import { useFeatureHandlers, type FeaturesProps } from "./use-feature-handlers.ts";

const keyOf = ({ id }: GeoFeature) => id;

const distanceColumn: Column<GeoFeature> = {
  id: "distance",
  title: "away",
  align: "right",
  value: ({ distance }) => metresWords(distance),
  priority: 2,
};

function columnsOf(names: readonly string[], hasDistance: boolean): Column<GeoFeature>[] {
  return [
    {
      id: "name",
      title: "feature",
      value: (feature) => featureName(feature, names),
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    { id: "geometry", title: "geometry", value: geometryType, priority: 1, minimum: 8 },
    { id: "at", title: "at", value: ({ geometry }) => positionWords(geometry), priority: 3 },
    ...(hasDistance ? [distanceColumn] : []),
    {
      id: "properties",
      title: "properties",
      value: (feature) => propertyWords(feature, names),
      priority: 4,
      maximum: 80,
    },
  ];
}

function useFeatureTable(request: TableRequest<FeaturesProps>): PlaceTable<GeoFeature> {
  const { props, filter, height } = request;
  const { id, names } = props.dataset;
  const { useRows } = usePart(placeShellPart);
  const list = useRows<GeoFeature>(
    {
      question: "geoFeatures.query",
      of: id,
      keyOf,
      ask: (client, { tenantId, signal, query, text = "" }) => {
        const { page, cursor, limit, count } = query;
        const { problem: _, ...asked } = { problem: "", ...featureQuery(text, names) };
        const body = { ...given({ page, cursor, count }), limit, ...asked };
        return client.geoFeatures.query({ tenantId, signal, params: { dataset: id }, body });
      },
    },
    filter,
    height,
  );
  const hasDistance = list.sample.some(({ distance }) => distance !== undefined);
  const columns = useMemo(() => columnsOf(names, hasDistance), [names, hasDistance]);
  return { list, columns };
}

/** The features of a dataset by their properties, a box or a distance. */
export const Features = tablePlace<GeoFeature, GeoKeys, PlaceTable<GeoFeature>, FeaturesProps>({
  name: ({ dataset }) => `features ${dataset.id}`,
  title: ({ props }) => `Features of ${props.dataset.title}`,
  loading: ({ dataset }) => `Loading features of ${dataset.title}`,
  search: ({ dataset }) => featureFilter(dataset),
  useTable: useFeatureTable,
  useHandlers: useFeatureHandlers,
  copied: keyOf,
  command: (_, { props, filter }) => {
    const { id, names } = props.dataset;
    return [["geo", "features", "list", id], queryOptions(filter.text, names)];
  },
  empty: {
    words: "This dataset has no features.",
    offer: [geoKeys.createFeature, "creates one; esc leads back, where I imports a file"],
  },
  Detail: lineDetail<GeoFeature, never, FeaturesProps>({
    kind: "feature",
    title: (feature, { dataset }) => featureName(feature, dataset.names),
    keyOf,
    lines: featureLines,
  }),
});
