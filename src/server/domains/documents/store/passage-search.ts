import type { Reader } from "../../../database/database.ts";
import { isOneOf, jsonFieldText } from "../../../database/dialect.ts";
import {
  byDialect,
  join,
  nothing,
  raw,
  statement,
  type Dialect,
  type Statement,
} from "../../../database/statement.ts";
import type { AskedTerm, IndexedTerm } from "../../../text/search/asked-terms.ts";
import { rarity } from "../../../text/search/ranking.ts";
import { bestHits, type BestHit, type WeightedHits } from "../../../search-index/best-hits.ts";
import {
  anyMatch,
  countHits,
  hitPlace,
  matching,
  weighedMatches,
  weighedOnce,
  weighted,
  type CountedHits,
  type EntryScope,
  type PackedHits,
  type WeightedTerm,
} from "../../../search-index/hits.ts";
import type { CommonTerms } from "../../../search-index/common-terms.ts";
import type { EntrySource } from "../../../search-index/sources.ts";
import {
  inScope,
  isWholeWorkspace,
  marksOfScope,
  type FoundPassage,
  type PassageScope,
} from "./passages.ts";

/** A passage with the class of its document. */
export interface SearchedPassage extends FoundPassage {
  readonly label: string | null;
}

/** A condition on the columns of `documents`. */
export type DocumentCondition = Statement<boolean>;

/** Documents of a condition without these. */
export function otherDocuments(
  ids: ReadonlySet<string>,
  condition: DocumentCondition | undefined,
): DocumentCondition {
  const others = statement<boolean>`not ${isOneOf(raw("documents.id"), [...ids])}`;
  return condition === undefined ? others : statement<boolean>`(${condition}) and ${others}`;
}

/** Counting stops here: a more frequent word distinguishes nothing. */
const countAtMost = 5_000;

/** Entries that a search ranks at most, so that no search reads a large part of the index. */
const rankedAtMost = { sqlite: 5_000, postgresql: 3_000 } as const;
/** The share of a search's passages that only frequent terms find, next to other terms. */
const frequentShare = 0.4;
/** Passages of one frequent term that are compared with those of the others. */
const hitsOfFrequent = 500;
/** PostgreSQL looks for frequent terms in so many of a workspace's newest passages. */
const newestAtMost = 3_000;

/** Passages of a workspace that has a source of them. */
export interface SearchedScope extends PassageScope {
  readonly source: EntrySource;
}

/** A weighted term, and its passages if they were read with their number. */
export interface RankedTerm extends WeightedTerm {
  readonly hits?: PackedHits | undefined;
}

/** Search terms that occur in at least one passage. */
export interface SearchedTerms {
  /** Terms by which entries are ranked, weighted by their rarity in the scope. */
  readonly ranked: readonly RankedTerm[];
  /** Terms of so many passages that they do not rank. */
  readonly frequent: readonly (readonly IndexedTerm[])[];
  /** Words that are spelt like some of the question, weighted: they rank too. */
  readonly similar?: readonly WeightedTerm[];
}

/** The rarest terms as ranked ones, as long as few enough passages have them. */
export function searchedTerms(
  dialect: Dialect,
  terms: readonly AskedTerm[],
  counts: PassageCounts,
): SearchedTerms {
  const counted = terms
    .map(({ indexed }, index) => {
      return { indexed, count: counts.having[index] ?? 0, hits: counts.hits?.[index] };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.count - other.count);
  let sum = 0;
  const ranked = counted.filter(({ count }) => (sum += count) < rankedAtMost[dialect]);
  return {
    ranked: ranked.map(({ indexed, count, hits }) => {
      return { indexed, weight: rarity(count, counts.all), hits };
    }),
    frequent: counted.slice(ranked.length).map(({ indexed }) => indexed),
  };
}

/** Words of a passage, a rough estimate: texts are weighed afterwards. */
const lengthShare = { usualLength: 150, share: 0.3 };

/** Passages of indexed documents with any of the terms, the best entries first. */
export async function searchPassages(
  reader: Reader,
  scope: SearchedScope,
  terms: SearchedTerms,
  limit: number,
  condition?: DocumentCondition,
): Promise<SearchedPassage[]> {
  if (scope.documentIds?.length === 0) return [];
  const { frequent, similar = [] } = terms;
  const ranked = [...terms.ranked, ...similar];
  const { dialect } = reader;
  const entries = entriesOf(scope);
  const page = {
    // In another order PostgreSQL would sort all entries of a frequent term.
    isOrdered: dialect === "sqlite",
    condition: condition && statement`exists (select 1 from ${documentOfHit} and ${condition})`,
  };
  const ofFrequent =
    frequent.length === 0 ? 0 : Math.ceil(limit * (ranked.length === 0 ? 1 : frequentShare));
  const most = limit - ofFrequent;
  const lists: Statement[] = [];
  if (ranked.length > 0) {
    const hits = condition === undefined ? await knownHits(reader, entries, ranked) : undefined;
    lists.push(
      hits === undefined
        ? best(anyMatch(entries, ranked, { ...page, limit: rankedAtMost[dialect] }), most)
        : placesOf(bestHits(hits, lengthShare, most)),
    );
  }
  if (frequent.length > 0) {
    const half = Math.ceil(ofFrequent / 2);
    const isWhole = isWholeWorkspace(scope) && condition === undefined;
    const window = isWhole && dialect === "postgresql" ? newestAtMost : undefined;
    const all = [...terms.ranked.map(({ indexed }) => indexed), ...frequent];
    const isRare = terms.ranked.length > 0;
    const together = { ...page, limit: half, window: isRare ? undefined : window };
    lists.push(best(weighted(matching(entries, all, together), 1), half, true));
    const each = frequent.map((indexed) => ({ indexed, weight: 1 }));
    const some = anyMatch(entries, each, { ...page, limit: hitsOfFrequent, window });
    lists.push(best(some, half, window !== undefined));
  }
  return lists.length === 0 ? [] : passagesOf(reader, scope, lists);
}

/** The entries of ranked terms, if those of some were read before; the others are read now. */
async function knownHits(
  reader: Reader,
  entries: EntryScope,
  ranked: readonly RankedTerm[],
): Promise<WeightedHits[] | undefined> {
  const unread = ranked.filter(({ hits }) => hits === undefined);
  if (unread.length === ranked.length) return undefined;
  const limit = rankedAtMost.postgresql;
  const lists = unread.map(({ indexed }) => [indexed]);
  const read = await countHits(reader, entries, lists, { limit, hitsBelow: limit + 1 });
  const hitsOf = new Map(unread.map((term, at) => [term, read[at]?.hits]));
  return ranked.flatMap((term) => {
    const hits = term.hits ?? hitsOf.get(term);
    return hits === undefined ? [] : [{ hits, weight: term.weight }];
  });
}

/** PostgreSQL: a list of entries that were weighed here. */
function placesOf(hits: readonly BestHit[]): Statement {
  return statement`select place, worth from jsonb_to_recordset(${JSON.stringify(hits)}::text::jsonb)
    as given(place text, worth double precision)`;
}

/** The passages of some entries, those of the highest worth first. */
function passagesOf(
  reader: Reader,
  { workspaceId }: PassageScope,
  lists: readonly Statement[],
): Promise<SearchedPassage[]> {
  const found = join(
    lists.map((list) => statement`select place, worth from (${list}) as list`),
    " union all ",
  );
  // Both planners must start with the entries; they would read all passages of the workspace.
  const ofEntry = byDialect({
    sqlite: statement`cross join document_chunks c on c.seq = m.place cross join documents d`,
    postgresql: statement`cross join lateral (select * from document_chunks
        where workspace_id = ${workspaceId} and document_id = split_part(m.place, '/', 1)
          and ordinal = split_part(m.place, '/', 2)::bigint offset 0) as c join documents d`,
  });
  return reader.all<SearchedPassage>(statement`select ${passageColumns}
    from (select place, max(worth) as worth from (${found}) as found group by place) m
    ${ofEntry} on d.workspace_id = c.workspace_id and d.id = c.document_id
    where d.workspace_id = ${workspaceId} and ${isSearched}
    order by m.worth desc, c.document_id, c.ordinal`);
}

/** The entries with the highest worth; on PostgreSQL with no sum if none is there twice. */
function best(hits: Statement, limit: number, isOnce = false): Statement {
  const summed = weighedMatches([hits], lengthShare);
  const weighed = isOnce
    ? byDialect({ sqlite: summed, postgresql: weighedOnce(hits, lengthShare) })
    : summed;
  return statement`${weighed} order by worth desc, place desc limit ${limit}`;
}

/** The document of an entry that a search looks at. */
const documentOfHit = byDialect({
  sqlite: statement`document_chunks cross join documents
    where document_chunks.seq = ${hitPlace}
      and documents.workspace_id = document_chunks.workspace_id
      and documents.id = document_chunks.document_id`,
  postgresql: statement`documents where documents.workspace_id = hits.workspace_id
      and documents.id = split_part(${hitPlace}, '/', 1)`,
});

function entriesOf(scope: SearchedScope): EntryScope {
  const { kind, workspaceId, number } = scope.source;
  return { kind, workspaceId, sources: [number], marks: marksOfScope(scope) };
}

const isSearched = raw("d.index_status = 'indexed' and d.status <> 'deleting'");

const passageColumns = statement`c.document_id as "documentId", d.number as "documentNumber",
  d.filename, d.media_type as "mediaType", ${jsonFieldText("d.properties", ["title"])} as title,
  ${jsonFieldText("d.classification", ["label"])} as label, c.ordinal,
  c.page, c.span_start as "start", c.span_end as "end", c.text, c.headings`;

export interface PassagePlace {
  readonly documentId: string;
  readonly ordinal: number;
}

/** The passages at these places, of documents that are searched, in no order. */
export async function passagesAt(
  reader: Reader,
  workspaceId: string,
  places: readonly PassagePlace[],
): Promise<SearchedPassage[]> {
  if (places.length === 0) return [];
  const list = JSON.stringify(places.map(({ documentId, ordinal }) => ({ documentId, ordinal })));
  const given = byDialect({
    sqlite: statement`(select value ->> 'documentId' as document_id, value ->> 'ordinal' as ordinal
      from json_each(${list})) as given cross join document_chunks c`,
    postgresql: statement`jsonb_to_recordset(${list}::text::jsonb)
      as given("documentId" text, ordinal bigint) join document_chunks c`,
  });
  const documentId = byDialect({
    sqlite: raw("given.document_id"),
    postgresql: raw(`given."documentId"`),
  });
  return reader.all<SearchedPassage>(statement`select ${passageColumns} from ${given}
      on c.workspace_id = ${workspaceId} and c.document_id = ${documentId}
        and c.ordinal = given.ordinal
    join documents d on d.workspace_id = c.workspace_id and d.id = c.document_id
    where d.workspace_id = ${workspaceId} and ${isSearched}`);
}

/** The documents of a scope, up to 100,000; undefined when it is the whole workspace. */
export async function documentsIn(
  reader: Reader,
  scope: PassageScope,
  condition: DocumentCondition | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const { workspaceId, documentIds, contextIds = [] } = scope;
  if (condition === undefined && contextIds.length === 0) {
    return documentIds === undefined ? undefined : new Set(documentIds);
  }
  const rows = await reader.all<{ id: string }>(statement`select id from documents
    where workspace_id = ${workspaceId} and index_status = 'indexed' and status <> 'deleting'
      ${inScope(scope)} ${condition === undefined ? nothing : statement`and ${condition}`}
    limit ${documentsAtMost}`);
  return new Set(rows.map(({ id }) => id));
}

const documentsAtMost = 100_000;

export interface PassageCounts {
  readonly all: number;
  /** The count for each term. */
  readonly having: readonly number[];
  /** The passages of a term, where they were read and are few enough to rank. */
  readonly hits?: readonly (PackedHits | undefined)[];
}

/** The number of passages of a scope with each term, and of all; up to 5,000. */
export async function countPassages(
  reader: Reader,
  scope: SearchedScope,
  terms: readonly Pick<AskedTerm, "indexed">[],
  common: Pick<CommonTerms, "countsIn">,
  withHits = false,
): Promise<PassageCounts> {
  const known = isWholeWorkspace(scope) ? await common.countsIn(scope.source) : undefined;
  const asked = [undefined, ...terms.map(({ indexed }) => indexed)];
  const estimates = asked.map((indexed) =>
    indexed === undefined ? known?.all : highest(indexed, known?.having),
  );
  const unknown = asked.filter((_, at) => estimates[at] === undefined);
  const lists = unknown.map((indexed) => (indexed === undefined ? [] : [indexed]));
  const hitsBelow = withHits ? rankedAtMost.postgresql : undefined;
  const options = { limit: countAtMost, hitsBelow };
  const counted = (await countHits(reader, entriesOf(scope), lists, options)).values();
  const [all, ...having] = estimates.map((estimate) => {
    const { count, hits } = estimate === undefined ? (counted.next().value ?? none) : none;
    return { count: Math.min(countAtMost, estimate ?? count), hits };
  });
  return {
    all: all?.count ?? 0,
    having: having.map(({ count }) => count),
    hits: having.map(({ hits }) => hits),
  };
}

const none: CountedHits = { count: 0 };

/** The estimate of a word's most frequent form: nearly all texts of the others have it too. */
function highest(
  indexed: readonly IndexedTerm[],
  having: ReadonlyMap<string, number> | undefined,
): number | undefined {
  const counts = indexed.flatMap((term) =>
    typeof term === "string" ? (having?.get(term) ?? []) : [],
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}
