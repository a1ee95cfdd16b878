import type { ChatRequest } from "#contract/documents/chat.ts";
import { documentId } from "#contract/documents/records.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { uuid } from "#contract/values.ts";
import { invalid } from "../../kit/faults.ts";
import type { Work } from "../../work/work.ts";
import { documentIds } from "../documents/service.ts";
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

/** The documents that a question is about: all conditions apply. */
export interface ChatScope {
  readonly workspaceId: string;
  /** The documents that count; all by default. */
  readonly documentIds?: readonly string[];
  /** Records of the upload's context, each of which the document must have. */
  readonly contextIds?: readonly string[];
}

interface PlacedId {
  readonly value: string;
  readonly pointer: string;
}

/** A question's documents. 404 for ids that are not in this workspace, 422 for invalid ones. */
export async function resolveChatScope(
  work: Work,
  records: RecordLookup,
  workspaceId: string,
  request: Pick<ChatRequest, "params" | "runtime_context">,
): Promise<ChatScope> {
  const { documents, recordIds } = readContext(request);
  const contextIds: string[] = [];
  for (const [name, { value, pointer: place }] of recordIds) {
    const type = recordTypes[name];
    if ((await records.findRecord(work, workspaceId, type, value)) === undefined) {
      throw unknown(place, `is not the id of a record of ${type}`);
    }
    contextIds.push(value);
  }
  if (documents.length === 0) {
    return { workspaceId, ...(contextIds.length === 0 ? {} : { contextIds }) };
  }
  const names = documents.map(({ value }) => value);
  const ids = await documentIds(work.read, workspaceId, names);
  const missing = documents.find(({ value }) => !ids.has(value));
  if (missing !== undefined) throw unknown(missing.pointer, "is not a document of this workspace");
  return { workspaceId, documentIds: [...new Set(ids.values())] };
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

function unknown(place: string, detail: string): Refusal {
  return new Refusal("not-found", {
    detail: `${place} ${detail}`,
    errors: [{ pointer: place, detail }],
  });
}
