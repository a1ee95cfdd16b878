import type { Client, ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { useAgeTime } from "../../kit/keys/use-keys.ts";
import { ageWords, readableWords } from "../../kit/text/words.ts";
import { headingRow, homeRow, unansweredRows, type HomePart } from "../../shell/home/home-rows.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames } from "../../shell/platform/names.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import { useObjectTypes } from "../../shell/platform/use-object-types.ts";
import { useRouter } from "../../shell/router.ts";
import { differencesOf } from "../detail/record-history.ts";
import { workTypes } from "./use-record-home.ts";

const shownWrites = 12;
/** Writes that are read; a column shows as many as it has room for. */
const readWrites = 40;
/** The feed reports each change earlier, where there is one. */
const refreshMs = 30_000;
/** Types whose newest writes are compared. */
const readTypes = 6;

interface Write {
  readonly record: Resource;
  readonly objectType: string;
  /** The changed values, where they are known. */
  readonly words: string;
}

/** A write in few words: `status open → decided`, or the names of several changed fields. */
export function writeWords(
  { version }: Pick<Resource, "version">,
  differences: ReturnType<typeof differencesOf>,
): string {
  if (version === 1) return "created";
  const [only] = differences;
  if (only === undefined) return "";
  const name = only.path.join(".");
  if (differences.length > 1) {
    const names = differences.map(({ path }) => path.join("."));
    return [...new Set(names)].join(", ");
  }
  if (only.kind !== "changed") return `${only.kind === "added" ? "+" : "-"}${name}`;
  return `${name} ${readableWords(only.before)} → ${readableWords(only.after)}`;
}

async function lastWrites(
  client: Client,
  types: readonly ObjectType[],
  { tenantId, signal }: { readonly tenantId: string | undefined; readonly signal: AbortSignal },
): Promise<Write[]> {
  const pages = await Promise.all(
    types.map(async ({ slug }) => {
      const records = client.useResources(slug, { tenantId });
      const { items } = await records.list({ sort: "-updated_at", limit: readWrites, signal });
      return items.map((record) => ({ record, objectType: slug }));
    }),
  );
  const newest = pages
    .flat()
    .filter(({ record }) => record.updated_at !== undefined)
    .toSorted((a, b) => (b.record.updated_at ?? "").localeCompare(a.record.updated_at ?? ""))
    .slice(0, readWrites);
  return await Promise.all(
    newest.map(async ({ record, objectType }, index): Promise<Write> => {
      if (record.version === 1) return { record, objectType, words: writeWords(record, []) };
      // Each history is one more request.
      if (index >= shownWrites) return { record, objectType, words: `version ${record.version}` };
      const records = client.useResources(objectType, { tenantId });
      // A record without a history is shown all the same.
      const history = await records.history(record.id, { limit: 1, signal }).catch(() => undefined);
      const changes = history?.items[0]?.changes ?? [];
      return { record, objectType, words: writeWords(record, differencesOf(changes)) };
    }),
  );
}

/** The newest writes of the workspace's records, and by whom. */
export function useLastWrites(): HomePart {
  const { go } = useRouter();
  const { value: all } = useObjectTypes();
  const types = workTypes(all ?? [])
    .filter(({ recordCount }) => (recordCount ?? 1) > 0)
    .slice(0, readTypes);
  const { value, failure } = useAnswer(
    ["resources.list", undefined, "home", types.map(({ slug }) => slug).join(" ")],
    (client, signal, tenantId) => lastWrites(client, types, { tenantId, signal }),
    { refreshMs, enabled: types.length > 0 },
  );
  const nowMs = useAgeTime(value);
  const nameOf = useNames(
    memberNamesPart,
    (value ?? []).map(({ record }) => record.updated_by),
  );
  if (types.length === 0) return { rows: [] };
  if (value === undefined) return { rows: unansweredRows("Last writes", failure) };
  if (value.length === 0) return { rows: [] };
  const rows = value.map(({ record, objectType, words }) => {
    const type = types.find(({ slug }) => slug === objectType);
    const by = record.updated_by ?? "";
    const who = nameOf(by)?.replace(/@.*/, "") ?? "";
    return homeRow({
      id: `write ${record.id}`,
      left: [
        { text: `   ${ageWords(record.updated_at, nowMs).padEnd(4)} `, as: "quiet" },
        ...(who === "" ? [] : [{ text: `${who}  `, as: "you" } as const]),
        { text: `${recordName(record, type)}  ` },
        { text: words, as: "quiet" },
      ],
      open: () => go({ place: "resources", objectType, recordId: record.id }),
      command: [["resources", "get", objectType, record.id]],
    });
  });
  return {
    isMiddle: true,
    rows: [headingRow("Last writes", { id: "writes" }), ...rows.slice(0, shownWrites)],
    more: rows.slice(shownWrites),
  };
}
