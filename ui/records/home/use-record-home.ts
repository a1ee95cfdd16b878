import type { ObjectType } from "#client/index.ts";
import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { useMemo } from "react";
import { dueFilters } from "../../kit/data-fields/due-filters.ts";
import { commonKeys } from "../../kit/keys/base-keys.ts";
import { useAgeTime, useKeyOffer } from "../../kit/keys/use-keys.ts";
import type { SortMark } from "../../kit/table/columns.ts";
import { countWords } from "../../kit/text/words.ts";
import {
  headingRow,
  homeRow,
  unansweredRows,
  type HomePart,
  type HomeRow,
} from "../../shell/home/home-rows.ts";
import { useObjectTypes } from "../../shell/platform/use-object-types.ts";
import { useTimeZone } from "../../shell/platform/use-workspaces.ts";
import { useRouter, type Router } from "../../shell/router.ts";
import { recordKeys } from "../keys.ts";
import { useTypeCreation } from "../types/use-type-creation.ts";
import { typeName, typeRows } from "./type-rows.ts";
import { statusField, useEarlierWeeks, useTypeFigures, type Today } from "./use-type-figures.ts";

type Offer = ReturnType<typeof useKeyOffer>;

const shownOthers = 8;
const noTypes: readonly ObjectType[] = [];

/** The types whose records users work with, those with states and due dates first. */
export function workTypes(types: readonly ObjectType[]): ObjectType[] {
  const rank = (type: ObjectType) =>
    (dueFilters(type, "UTC", 0) === undefined ? 0 : 2) + (statusField(type) === undefined ? 0 : 1);
  return types
    .filter(({ slug }) => !isConfigurationType(slug))
    .toSorted(
      (a, b) =>
        Number((b.recordCount ?? 0) > 0) - Number((a.recordCount ?? 0) > 0) ||
        rank(b) - rank(a) ||
        (b.recordCount ?? 0) - (a.recordCount ?? 0),
    );
}

function showerOf({ go }: Router, { slug }: ObjectType) {
  return (text?: string, sort?: SortMark): void =>
    go({
      place: "resources",
      objectType: slug,
      ...(text === undefined ? {} : { filter: { id: crypto.randomUUID(), text, sort } }),
    });
}

/** The rows of one type, if it is there; a type without states and due dates has none. */
function useTypeRows(type: ObjectType | undefined, today: Today): HomePart {
  const router = useRouter();
  const { value: figures } = useTypeFigures(type, today);
  const weeks = useEarlierWeeks(type, today);
  const { timeZone, nowMs } = today;
  return useMemo(() => {
    if (type === undefined) return { rows: [] };
    const due = dueFilters(type, timeZone, nowMs);
    const show = showerOf(router, type);
    return typeRows({ type, status: statusField(type), figures, weeks, due, show });
  }, [router, type, figures, weeks, timeZone, nowMs]);
}

function otherRows(types: readonly ObjectType[], router: Router): HomeRow[] {
  if (types.length === 0) return [];
  const { go } = router;
  const rows = types.slice(0, shownOthers).map((type) =>
    homeRow({
      id: `type ${type.slug}`,
      left: [{ text: `   ${typeName(type)}` }],
      right: [
        { text: ` ${type.recordCount === undefined ? "" : countWords(type.recordCount)}   ` },
      ],
      open: () => showerOf(router, type)(),
      command: [["resources", "list", type.slug]],
    }),
  );
  const heading = headingRow("Other types", {
    id: "other types",
    right: [{ text: `${types.length}   ` }],
    open: () => go({ place: "resources" }),
    command: [["resources", "schema"]],
  });
  return [heading, ...rows];
}

function firstStep(
  types: readonly ObjectType[],
  {
    router,
    offer,
    createType,
  }: {
    readonly router: Router;
    readonly offer: Offer;
    readonly createType: () => void;
  },
): HomeRow {
  const [first] = types;
  if (first === undefined) {
    return homeRow({
      id: "step records",
      left: [
        {
          text: `   ${offer(recordKeys.createType, "creates the first Object Type")}; ${offer(commonKeys.copyCommand, "copies the command that publishes a project's")}`,
        },
      ],
      open: createType,
      handlers: { createType },
      command: [["types", "seed"]],
    });
  }
  const show = showerOf(router, first);
  return homeRow({
    id: "step records",
    left: [
      { text: `   ↵ ${offer(recordKeys.create, `opens ${first.slug} and creates the first one`)}` },
    ],
    open: () => show(),
    command: [["resources", "create", first.slug]],
  });
}

/** Three types with their figures, and the other types with their numbers. */
export function useRecordHome(): readonly HomePart[] {
  const router = useRouter();
  const { value, failure } = useObjectTypes();
  const offer = useKeyOffer();
  const createType = useTypeCreation();
  const timeZone = useTimeZone();
  const nowMs = useAgeTime(value);
  const types = useMemo(() => workTypes(value ?? noTypes), [value]);
  const shown = types.filter((type) => (type.recordCount ?? 1) > 0).slice(0, 3);
  const today = { timeZone, nowMs };
  const blocks = [
    useTypeRows(shown[0], today),
    useTypeRows(shown[1], today),
    useTypeRows(shown[2], today),
  ];
  if (value === undefined) return [{ rows: unansweredRows("Records", failure) }];
  const others = types.filter((type) => !shown.includes(type));
  const isFilled = shown.length > 0;
  const last: HomePart = {
    rows: otherRows(others, router),
    isFilled,
    step: firstStep(types, { router, offer, createType }),
  };
  return [...blocks, last];
}
