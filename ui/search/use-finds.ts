import type { Member, ObjectType } from "#client/index.ts";
import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { nameIn } from "../kit/data-fields/record-columns.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import { useSettled } from "../kit/state/use-settled.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { useHidesIds } from "../shell/platform/shown-types.ts";
import { useRouter, type Router } from "../shell/router.ts";
import { isTooShort, useSearch, type SearchTarget } from "./use-search.ts";
import { citationOf } from "./words.ts";

/** Records, passages and members that the palette offers, of each the best ones. */
const offered = 5;
/** Pause in typing after which members are looked for. */
const pauseMs = 250;

const nothing: readonly Choice[] = [];
const everything: SearchTarget = { kind: "all" };
const documents: SearchTarget = { kind: "documents" };

/** The list of a type with a filter, if the pattern is `type filter`. */
export function filteredType(
  pattern: string,
  types: readonly Pick<ObjectType, "slug">[],
): { readonly slug: string; readonly filter: string } | undefined {
  const [, slug = "", filter = ""] = /^\s*(\S+)\s+(\S.*)$/.exec(pattern) ?? [];
  return types.some((type) => type.slug === slug) ? { slug, filter: filter.trim() } : undefined;
}

/** Members whose name or address has the text; none where the user may not read them. */
function useMembersNamed(text: string): readonly Member[] {
  const search = useSettled(text, pauseMs);
  const answer = useAnswer(
    ["members.named", search],
    async (client, signal, tenantId) => {
      const query = { search, limit: offered };
      return (await client.members.list({ tenantId, signal, query })).items;
    },
    { enabled: !isTooShort(search) },
  );
  return isTooShort(text) ? [] : (answer.value ?? []);
}

function memberChoice({ memberId, email, displayName }: Member, { go }: Router): Choice {
  const words = [displayName, email].filter((word) => word !== undefined && word !== "").join("  ");
  return {
    id: `member ${memberId}`,
    words: words === "" ? memberId : words,
    note: "member",
    choose: () => go({ place: "members" }),
  };
}

/** The best results of a search; records of types of configuration only where those are shown. */
export function offeredResults<Result extends { readonly type: string }>(
  results: readonly Result[],
  hidesConfiguration: boolean,
): readonly Result[] {
  const shown = hidesConfiguration
    ? results.filter(({ type }) => !isConfigurationType(type))
    : results;
  return shown.slice(0, offered);
}

/** Things of the workspace that a pattern of the palette finds, in addition to its own choices. */
export function useFinds(pattern: string): readonly Choice[] {
  const text = pattern.trim();
  const router = useRouter();
  const { value: types = [] } = useObjectTypes();
  const records = useSearch({ text, mode: "fulltext", target: everything });
  const passages = useSearch({ text, mode: "fulltext", target: documents });
  const members = useMembersNamed(text);
  const list = filteredType(pattern, types);
  const filtered: Choice[] =
    list === undefined
      ? []
      : [
          {
            id: `filter ${list.slug}`,
            words: `${list.slug} ${list.filter}`,
            note: "filtered records",
            choose: () => {
              const filter = { id: crypto.randomUUID(), text: list.filter };
              router.go({ place: "resources", objectType: list.slug, filter });
            },
          },
        ];
  const typeOf = (slug: string) => types.find((type) => type.slug === slug);
  const results = offeredResults(records.value?.results ?? [], useHidesIds());
  const found = results.map(({ id, type, data }): Choice => ({
    id: `record ${id}`,
    words: nameIn(data, typeOf(type)) ?? id,
    note: type,
    choose: () => router.go({ place: "resources", objectType: type, recordId: id }),
  }));
  const quoted = (passages.value?.passages ?? [])
    .slice(0, offered)
    .map((passage, index): Choice => {
      const { documentId, filename, documentNumber, page } = passage;
      const place = page === undefined ? "" : `, page ${page}`;
      return {
        id: `passage ${index} ${documentId}`,
        words: `${filename ?? documentNumber ?? documentId}${place}`,
        note: "document",
        choose: () => router.go({ place: "documents", documentId, citation: citationOf(passage) }),
      };
    });
  const people = members.map((member) => memberChoice(member, router));
  return text === "" ? nothing : [...filtered, ...found, ...quoted, ...people];
}
