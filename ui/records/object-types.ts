import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { keyName } from "../kit/keys/keys.ts";
import {
  tablePlace,
  type PlaceNow,
  type PlaceTable,
  type TableRequest,
} from "../kit/places/list-place.tsx";
import type { Column } from "../kit/table/columns.ts";
import { countWords } from "../kit/text/words.ts";
import { shellKeys } from "../shell/keys.ts";
import type { LiveAnswer } from "../shell/platform/use-answer.ts";
import { useShownTypes } from "../shell/platform/shown-types.ts";
import { useAnsweredList } from "../shell/platform/use-list.ts";
import { useRouter } from "../shell/router.ts";
import { recordKeys, type RecordKeys } from "./keys.ts";
import { useTypeCreation } from "./types/use-type-creation.ts";

interface Types {
  readonly types: LiveAnswer<readonly ObjectType[]>;
}

const keyOf = (type: ObjectType) => type.slug;
const noTypes: readonly ObjectType[] = [];

const columns: readonly Column<ObjectType>[] = [
  {
    id: "slug",
    title: "type",
    value: (type) => type.slug,
    priority: 0,
    pinned: true,
    minimum: 16,
  },
  {
    id: "records",
    title: "records",
    align: "right",
    value: (type) => (type.recordCount === undefined ? "" : countWords(type.recordCount)),
    priority: 1,
  },
  {
    id: "name",
    title: "name",
    value: (type) => type.displayName ?? type.name,
    priority: 2,
    minimum: 24,
  },
  {
    id: "fields",
    title: "fields",
    align: "right",
    value: (type) => String(Object.keys(type.properties).length),
    priority: 3,
  },
  {
    id: "description",
    title: "description",
    value: (type) => type.description ?? "",
    priority: 4,
    minimum: 24,
    maximum: 80,
  },
];

/** The types that are shown, and of them those that have the typed text in a name. */
function useTypeTable({ props, filter, height }: TableRequest<Types>): PlaceTable<ObjectType> {
  const { types } = props;
  const text = filter.text.toLowerCase();
  const shown = useShownTypes(types.value ?? noTypes);
  const value = useMemo(
    () =>
      shown.filter(({ slug, displayName, name }) =>
        `${slug} ${displayName ?? name}`.toLowerCase().includes(text),
      ),
    [shown, text],
  );
  const known = types.value === undefined ? types : { ...types, value };
  const hidden = (types.value?.length ?? 0) - shown.length;
  const facts = hidden === 0 ? [] : [`${hidden} of configuration hidden: .`];
  return { list: useAnsweredList("object types", known, keyOf, height), columns, facts };
}

function useOpening({ opened }: PlaceNow<ObjectType, PlaceTable<ObjectType>, Types>) {
  const { go } = useRouter();
  return { open: opened.act(({ slug }) => go({ place: "resources", objectType: slug })) };
}

function useCreation() {
  return { createType: useTypeCreation() };
}

/** The Object Types of the workspace; Enter opens the records of one. */
export const ObjectTypesScreen = tablePlace<ObjectType, RecordKeys, PlaceTable<ObjectType>, Types>({
  name: "object types",
  title: "Object Types",
  loading: "Loading Object Types",
  search: {
    key: "filter types",
    label: "filter",
    placeholder: "a part of a name",
    fact: "filter",
    noMatch: "No Object Type has this text in its name.",
  },
  useTable: useTypeTable,
  useHandlers: useCreation,
  useListHandlers: useOpening,
  stays: true,
  command: (_, { table }) => [table.list.count === 0 ? ["types", "seed"] : ["resources", "schema"]],
  empty: {
    words: "This workspace has no Object Types yet: they define its records.",
    next:
      `${keyName(recordKeys.createType)} creates one. ` +
      `${keyName(commonKeys.copyCommand)} copies the command that publishes a project's. ` +
      `${keyName(shellKeys.goWorkspaces)} chooses another workspace.`,
  },
});
