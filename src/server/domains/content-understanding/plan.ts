import {
  understandingKinds,
  type UnderstandingAction,
  type UnderstandingKind,
  type UnderstandingManifest,
  type UnderstandingPlan,
} from "#contract/content-understanding.ts";
import type { Fault } from "#contract/problems.ts";
import { ownMember } from "#lib/own-member.ts";
import { sameJson } from "#lib/same-json.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../http/faults.ts";
import type { ClassifierService } from "../classifiers/service.ts";
import type { DocumentTypeService } from "../document-types/service.ts";

export interface PlanParts {
  readonly classifiers: ClassifierService;
  readonly documentTypes: DocumentTypeService;
}

interface Present {
  readonly version: number;
  readonly definition: object;
}

/** The plan for the state that the reader sees; 422 for a type whose analyzer does not exist. */
export async function planOf(
  parts: PlanParts,
  reader: Reader,
  workspaceId: string,
  manifest: UnderstandingManifest,
): Promise<UnderstandingPlan> {
  await requireAnalyzers(parts, reader, workspaceId, manifest);
  const actions: UnderstandingAction[] = [];
  for (const kind of understandingKinds) {
    for (const [key, wanted] of Object.entries(manifest[kind])) {
      const present = await storedOf(parts, reader, kind, { workspaceId, key });
      actions.push(actionOf(kind, key, wanted, present));
    }
  }
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(JSON.stringify([workspaceId, manifest, actions]));
  return { digest: hash.digest("hex"), actions };
}

async function storedOf(
  { classifiers, documentTypes }: PlanParts,
  reader: Reader,
  kind: UnderstandingKind,
  place: { readonly workspaceId: string; readonly key: string },
): Promise<Present | undefined> {
  if (kind === "classifiers") return classifiers.find(reader, place);
  const table = kind === "analyzers" ? "analyzers" : "document_types";
  return documentTypes.find(reader, table, place);
}

function actionOf(
  kind: UnderstandingKind,
  key: string,
  wanted: object,
  present: Present | undefined,
): UnderstandingAction {
  if (present === undefined) return { kind, key, action: "create", currentVersion: 0, changes: [] };
  const { version: currentVersion, definition } = present;
  const names = new Set([...Object.keys(wanted), ...Object.keys(definition)]);
  const changes = [...names].filter(
    (name) => !sameJson(ownMember(wanted, name), ownMember(definition, name)),
  );
  const action = changes.length === 0 ? "unchanged" : "update";
  return { kind, key, action, currentVersion, changes };
}

async function requireAnalyzers(
  { documentTypes }: PlanParts,
  reader: Reader,
  workspaceId: string,
  manifest: UnderstandingManifest,
): Promise<void> {
  const faults: Fault[] = [];
  for (const [key, { analyzer }] of Object.entries(manifest.documentTypes)) {
    if (Object.hasOwn(manifest.analyzers, analyzer)) continue;
    const stored = await documentTypes.find(reader, "analyzers", { workspaceId, key: analyzer });
    if (stored !== undefined) continue;
    const detail = `names the analyzer "${analyzer}", which neither the manifest nor the workspace has`;
    faults.push(faultAt("body", ["documentTypes", key, "analyzer"], detail));
  }
  if (faults.length > 0) throw invalid(faults);
}
