import type { ChatRequest } from "#contract/chat.ts";
import { documentId } from "#contract/documents/records.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { uuid } from "#contract/values.ts";
import { hyphenatedUuid } from "#lib/uuid.ts";
import { invalid } from "../../http/faults.ts";
import type { Reader } from "../../database/database.ts";
import { documentByNumber, documentsByIds, type PassageScope } from "../documents/service.ts";
import type { RecordLookup } from "../records/service.ts";

const maximumDocuments = 100;
const places = ["params", "runtime_context"] as const;

/** The Object Types of record ids in a chat's context (spec 2.10). */
const recordTypes = {
  applicationId: "planning-application",
  caseId: "assess-case",
  businessRequestId: "business-request",
} as const;
type RecordName = keyof typeof recordTypes;

/** Addresses of files: a workflow gets documents by their ids only (spec 4.1 rule 13). */
const addressName = /^(?:(?:document|file|blob|storage)_?(?:url|uri|path|address)s?|urls?)$/i;

interface PlacedId {
  readonly value: string;
  readonly pointer: string;
}

/** A question's documents. 404 for ids that are not in this workspace, 422 for invalid ones. */
export async function resolveChatScope(
  reader: Reader,
  records: RecordLookup,
  workspaceId: string,
  request: Pick<ChatRequest, "params" | "runtime_context">,
): Promise<PassageScope> {
  const { documents, recordIds } = readContext(request);
  const contextIds: string[] = [];
  for (const [name, { value, pointer: place }] of recordIds) {
    if ((await records.findRecord(workspaceId, recordTypes[name], value)) === undefined) {
      throw unknown(place, `is not the id of a record of ${recordTypes[name]}`);
    }
    contextIds.push(value);
  }
  if (documents.length === 0) {
    return { workspaceId, ...(contextIds.length === 0 ? {} : { contextIds }) };
  }
  return { workspaceId, documentIds: await documentIds(reader, workspaceId, documents) };
}

function readContext(request: Pick<ChatRequest, "params" | "runtime_context">): {
  documents: PlacedId[];
  recordIds: Map<RecordName, PlacedId>;
} {
  const faults: Fault[] = [];
  const documents: PlacedId[] = [];
  const recordIds = new Map<RecordName, PlacedId>();
  for (const place of places) {
    const context = request[place] ?? {};
    for (const name of Object.keys(context)) {
      if (!addressName.test(name)) continue;
      const detail = "is an address: name documents by documentIds";
      faults.push({ pointer: pointer(place, name), detail });
    }
    documents.push(...readDocuments(context["documentIds"], place, faults));
    for (const name of Object.keys(recordTypes) as RecordName[]) {
      const value = context[name];
      if (value === undefined || value === null) continue;
      const at = pointer(place, name);
      const parsed = uuid.safeParse(value);
      const known = recordIds.get(name);
      if (!parsed.success) faults.push({ pointer: at, detail: "must be a UUID" });
      else if (known !== undefined && known.value !== parsed.data) {
        faults.push({ pointer: at, detail: "conflicts with params" });
      } else recordIds.set(name, { value: parsed.data, pointer: at });
    }
  }
  if (documents.length > maximumDocuments) {
    const detail = `must have at most ${maximumDocuments} items`;
    faults.push({ pointer: pointer("params", "documentIds"), detail });
  }
  if (faults.length > 0) throw invalid(faults);
  return { documents, recordIds };
}

function readDocuments(
  value: unknown,
  place: (typeof places)[number],
  faults: Fault[],
): PlacedId[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    faults.push({ pointer: pointer(place, "documentIds"), detail: "must be a list of ids" });
    return [];
  }
  return value.slice(0, maximumDocuments + 1).flatMap((each: unknown, index) => {
    const at = pointer(place, "documentIds", index);
    const parsed = documentId.safeParse(each);
    if (parsed.success) return [{ value: parsed.data, pointer: at }];
    faults.push({ pointer: at, detail: "must be a document number (DOC-…) or a UUID" });
    return [];
  });
}

async function documentIds(
  reader: Reader,
  workspaceId: string,
  placed: readonly PlacedId[],
): Promise<string[]> {
  const uuids = placed.flatMap(({ value }) => (isNumber(value) ? [] : [hyphenatedUuid(value)]));
  const known = (await documentsByIds(reader, workspaceId, uuids)).map(({ id }) => id);
  const ids = new Set<string>();
  for (const { value, pointer: place } of placed) {
    const id = isNumber(value)
      ? await idOfNumber(reader, workspaceId, value)
      : known.find((each) => each === hyphenatedUuid(value));
    if (id === undefined) throw unknown(place, "is not a document of this workspace");
    ids.add(id);
  }
  return [...ids];
}

function isNumber(id: string): boolean {
  return id.startsWith("DOC-");
}

async function idOfNumber(
  reader: Reader,
  workspaceId: string,
  number: string,
): Promise<string | undefined> {
  const document = await documentByNumber(reader, workspaceId, number);
  return document?.status === "deleting" ? undefined : document?.id;
}

function unknown(place: string, detail: string): Refusal {
  return new Refusal("not-found", {
    detail: `${place} ${detail}`,
    errors: [{ pointer: place, detail }],
  });
}
