import type { ObjectType, Resource } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { dueFilters } from "../../kit/data-fields/due-filters.ts";
import { dueDistance, propertyMeaning, statusOf } from "../../kit/data-fields/meaning.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { parseFilter } from "../../kit/filter/filter-language.ts";
import { useAgeTime } from "../../kit/keys/use-keys.ts";
import type { Span } from "../../kit/text/styled-lines.ts";
import { headingRow, homeRow, type HomePart, type HomeRow } from "../../shell/home/home-rows.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import { useObjectTypes } from "../../shell/platform/use-object-types.ts";
import { useTimeZone } from "../../shell/platform/use-workspaces.ts";
import { useRouter, type Router } from "../../shell/router.ts";
import { workTypes } from "./use-record-home.ts";
import { statusField } from "./use-type-figures.ts";

/** Records that are read; a column shows as many as it has room for. */
const readRecords = 40;
/** Records that each size of the screen shows. */
const leastShown = 3;
/** The feed reports each change earlier, where there is one. */
const refreshMs = 30_000;
const nameWidth = 12;

/** The first text of a record that is not its name, such as an address. */
function secondText({ data }: Resource, type: ObjectType, name: string): string {
  const texts = Object.entries(dataFields(type)).filter(([, property]) =>
    ["string", "text"].includes(property.type),
  );
  const values = texts.map(([field]) => data[field]);
  return values.find((value) => typeof value === "string" && value !== name)?.toString() ?? "";
}

/** A record with its state, and how far its due date is. */
export function dueRow(
  record: Resource,
  type: ObjectType,
  { due, nowMs, go }: { readonly due: string; readonly nowMs: number; readonly go: Router["go"] },
): HomeRow {
  const name = recordName(record, type);
  const status = statusField(type);
  const state = status === undefined ? undefined : record.data[status];
  const look =
    status === undefined || typeof state !== "string"
      ? undefined
      : statusOf(dataFields(type)[status], state);
  const date = record.data[due];
  const { text, token } = dueDistance(typeof date === "string" ? date : "", nowMs, false);
  const glyph: Span = { text: `   ${look?.glyph ?? " "} `, as: look?.token };
  return homeRow({
    id: `due ${record.id}`,
    left: [
      glyph,
      { text: `${name.padEnd(nameWidth)}  ` },
      { text: secondText(record, type, name), as: "quiet" },
    ],
    right: [{ text: ` ${text} `, as: token }],
    open: () => go({ place: "resources", objectType: type.slug, recordId: record.id }),
    command: [["resources", "get", type.slug, record.id]],
  });
}

/** The open records of the first type with due dates that are due next, the latest ones first. */
export function useDueRecords(): HomePart {
  const { go } = useRouter();
  const { value: all } = useObjectTypes();
  const timeZone = useTimeZone();
  const type = workTypes(all ?? []).find(
    (each) => (each.recordCount ?? 1) > 0 && propertyMeaning(each, "due") !== undefined,
  );
  const { value } = useAnswer<readonly Resource[]>(
    ["resources.list", type?.slug, "home", "due"],
    async (client, signal, tenantId) => {
      const due = type === undefined ? undefined : dueFilters(type, timeZone, Date.now());
      if (type === undefined || due === undefined) return [];
      const parsed = parseFilter(due.next, dataFields(type));
      if (!("where" in parsed)) return [];
      const records = client.useResources(type.slug, { tenantId });
      const { where } = parsed;
      return (await records.list({ where, sort: due.name, limit: readRecords, signal })).items;
    },
    { refreshMs, enabled: type !== undefined },
  );
  const nowMs = useAgeTime(value);
  const due = type === undefined ? undefined : dueFilters(type, timeZone, nowMs);
  if (type === undefined || due === undefined || value === undefined || value.length === 0) {
    return { rows: [] };
  }
  const rows = value.map((record) => dueRow(record, type, { due: due.name, nowMs, go }));
  const heading = headingRow("Due next", {
    id: "due",
    open: () =>
      go({
        place: "resources",
        objectType: type.slug,
        filter: {
          id: crypto.randomUUID(),
          text: due.next,
          sort: { id: due.name, descending: false },
        },
      }),
    command: [["resources", "list", type.slug], { sort: due.name }],
  });
  return {
    isUrgent: true,
    isMiddle: true,
    rows: [heading, ...rows.slice(0, leastShown)],
    more: rows.slice(leastShown),
  };
}
