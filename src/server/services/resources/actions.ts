import type { ActionDefinition } from "#contract/object-types.ts";
import { compileRecordCheck, type CheckedRecord } from "#contract/object-types/record.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import { parameterIn, type ActionCall } from "#contract/resources/actions.ts";
import { roleIncludes, type Role } from "#contract/roles.ts";
import type { JsonObject } from "#contract/values.ts";
import { requireMatch, type VersionMatch, type WorkspaceScope } from "../../handler.ts";
import { invalid } from "../../pipeline/faults.ts";
import type { Database } from "../../stores/database.ts";
import { DuplicateError } from "../../stores/database/errors.ts";
import {
  changesSince,
  recordById,
  updateRecord,
  type StoredRecord,
} from "../../stores/resources.ts";
import { changedNames, difference } from "../../stores/resources/patch.ts";
import { keysOf } from "../../stores/resources/slots.ts";
import type { ObjectTypeService } from "../object-types.ts";
import type { CompiledType } from "../object-types/compiled-type.ts";
import { roleTooLow } from "../workspaces.ts";
import { Overtaken, underType } from "./attempts.ts";
import { conflictPatches, dataOf, duplicateRefusal, textOf, versionConflict } from "./record.ts";
import { newReferences, requireReferences, resolveReferences } from "./references.ts";

/** What an action needs where its definition names no role: the role that may update. */
const defaultRole: Role = "tenant-staff";

export interface WantedAction extends ActionCall {
  /** The caller's id, and what the caller is in the workspace. */
  readonly oid: string;
  readonly workspace: WorkspaceScope;
  readonly slug: string;
  readonly id: string;
  readonly action: string;
  readonly ifMatch: VersionMatch | undefined;
}

/** Named verbs on a record (spec 4.2), each one write that its history names by the action. */
export class ResourceActions {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #now: () => Date;

  constructor(options: { database: Database; objectTypes: ObjectTypeService; now: () => Date }) {
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
    this.#now = options.now;
  }

  /**
   * 403 for too low a role, 409 for a state that the action does not start from, and for a version
   * that is not current, 412 for another one in `If-Match`, 422 for parameters that do not fit.
   */
  async execute(wanted: WantedAction, remember: (resource: Resource) => void): Promise<Resource> {
    const { workspace, slug, id, oid } = wanted;
    return underType(this.#objectTypes, workspace.id, slug, async (type) => {
      const action = actionOf(type, wanted.action);
      const required = action.requires ?? defaultRole;
      if (!roleIncludes(workspace.role, required)) throw roleTooLow(required, workspace.role);
      const current = await recordById(this.#database.read, type, id);
      if (current === undefined) throw new Refusal("not-found");
      await this.#requireVersion(type, current, wanted);
      const stored = dataOf(type, current);
      requireState(action, stored);
      const parameters = parametersOf(action, wanted.parameters);
      const checked = dataAfter(type, action, stored, parameters.data);
      const record: StoredRecord = {
        ...current,
        version: current.version + 1,
        data: textOf(checked, ["data"]),
        updated_at: this.#now().toISOString(),
        updated_by: oid,
      };
      const uses: readonly ReferenceUse[] = [
        ...parameters.references,
        ...newReferences(type, stored, checked.references),
      ];
      const references = await resolveReferences(this.#objectTypes, workspace.id, uses);
      const entry = type.entryOf(checked.data, stored);
      await this.#objectTypes.words.note(workspace.id, [entry]);
      const write = { record, keys: keysOf(type.columns, checked.data), entry };
      const changes = difference(stored, checked.data);
      const resource = { ...record, type: type.slug, data: type.inOrder(checked.data) };
      try {
        await this.#database.write(async (writer) => {
          await requireReferences(writer, references);
          const isDone = await updateRecord(writer, type, write, changes, action.name);
          if (!isDone) throw new Overtaken();
          remember(resource);
        });
        return resource;
      } catch (error) {
        if (error instanceof DuplicateError) throw duplicateRefusal(type, error, ["data"]);
        throw error;
      }
    });
  }

  async #requireVersion(
    type: CompiledType,
    current: StoredRecord,
    { id, version, ifMatch }: WantedAction,
  ): Promise<void> {
    requireMatch(ifMatch, current.version);
    if (version === undefined || version === current.version) return;
    const { read } = this.#database;
    const changes = await changesSince(read, type, id, version, conflictPatches);
    throw versionConflict(current.version, changedNames(changes));
  }
}

function actionOf(type: CompiledType, name: string): ActionDefinition {
  const action = type.stored.definition.actions.find((one) => one.name === name);
  if (action !== undefined) return action;
  throw new Refusal("not-found", { detail: "This Object Type has no action of this name" });
}

/** 409 with the state that the record is in and those that the action starts from. */
function requireState({ name, transition }: ActionDefinition, stored: JsonObject): void {
  if (transition === undefined) return;
  const { property, from } = transition;
  const state = stored[property] ?? null;
  if (typeof state === "string" && from.includes(state)) return;
  const quoted = from.map((one) => JSON.stringify(one)).join(" or ");
  throw new Refusal("conflict", {
    detail: `Cannot ${name} this record: its ${property} is ${JSON.stringify(state)}, not ${quoted}`,
    members: { property, currentState: state, allowedStates: from },
  });
}

function parametersOf(action: ActionDefinition, given: JsonObject): CheckedRecord {
  const check = compileRecordCheck({ properties: action.parameters ?? {} });
  const checked = check(given, { isCreation: true, base: ["parameters"] });
  if (checked.faults.length > 0) throw invalid(checked.faults);
  return checked;
}

/** The record's data as the action leaves it, held to the type's own rules. */
function dataAfter(
  type: CompiledType,
  action: ActionDefinition,
  stored: JsonObject,
  parameters: JsonObject,
): CheckedRecord {
  const next: JsonObject = { ...stored };
  for (const [name, value] of Object.entries(action.set ?? {})) {
    const parameter = parameterIn(value);
    if (parameter === undefined) next[name] = value;
    else if (Object.hasOwn(parameters, parameter)) next[name] = parameters[parameter];
  }
  if (action.transition !== undefined) next[action.transition.property] = action.transition.to;
  // What an earlier definition allowed stays as it is: no caller could take it away.
  const isKnown = (name: string): boolean =>
    Object.hasOwn(type.properties, name) || type.linkTypes.some((link) => link.name === name);
  const entries = Object.entries(next);
  const known = Object.fromEntries(entries.filter(([name]) => isKnown(name)));
  const left = Object.fromEntries(entries.filter(([name]) => !isKnown(name)));
  const checked = type.check(known, { isCreation: false, base: ["data"], stored });
  return { ...checked, data: { ...checked.data, ...left } };
}
