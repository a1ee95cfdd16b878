import type { ActionDefinition } from "#contract/object-types.ts";
import { compileRecordCheck, type CheckedRecord } from "#contract/object-types/record.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import { parameterIn, type ActionCall } from "#contract/resources/actions.ts";
import { defaultActionRole, roleIncludes } from "#contract/roles.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { requireMatch, type VersionMatch, type WorkspaceScope } from "../../../http/handler.ts";
import { invalid } from "../../../http/faults.ts";
import { recordById } from "../store/records.ts";
import type { ObjectTypeService, CompiledType } from "../../object-types/service.ts";
import { roleTooLow } from "../../workspaces/service.ts";
import { underType } from "../current-type.ts";
import { conflictSince, writeNextVersion } from "./next-version.ts";
import { dataOf } from "../record.ts";
import { newReferences } from "./references.ts";

export interface WantedAction extends ActionCall {
  /** The caller's id, and what the caller is in the workspace. */
  readonly oid: string;
  readonly workspace: WorkspaceScope;
  readonly slug: string;
  readonly id: string;
  readonly action: string;
  readonly ifMatch: VersionMatch | undefined;
}

type Services = Parameters<typeof writeNextVersion>[0];

/** Named verbs on a record (spec 4.2), each one write that its history names by the action. */
export class ResourceActions {
  readonly #services: Services;
  readonly #objectTypes: ObjectTypeService;

  constructor(services: Services) {
    this.#services = services;
    this.#objectTypes = services.objectTypes;
  }

  /**
   * 403 for too low a role, 409 for a state that the action does not start from, and for a version
   * that is not current, 412 for another one in `If-Match`, 422 for parameters that do not fit.
   */
  async execute(wanted: WantedAction, remember: (resource: Resource) => void): Promise<Resource> {
    const { workspace, slug, id, oid } = wanted;
    return underType(this.#objectTypes, workspace.id, slug, async (type) => {
      const action = actionOf(type, wanted.action);
      const required = action.requires ?? defaultActionRole;
      if (!roleIncludes(workspace.role, required)) throw roleTooLow(required, workspace.role);
      const { read } = this.#services.database;
      const current = await recordById(read, type, id);
      if (current === undefined) throw new Refusal("not-found");
      requireMatch(wanted.ifMatch, current.version);
      const { version = current.version } = wanted;
      if (version !== current.version) throw await conflictSince(read, type, current, version);
      const stored = dataOf(type, current);
      requireState(action, stored);
      const parameters = parametersOf(action, wanted.parameters);
      const checked = dataAfter(type, action, stored, parameters.data);
      const uses: readonly ReferenceUse[] = [
        ...parameters.references,
        ...newReferences(type, stored, checked.references),
      ];
      return writeNextVersion(this.#services, type, {
        current,
        stored,
        checked,
        uses,
        oid,
        operation: action.name,
        remember,
      });
    });
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
  const state = ownMember(stored, property) ?? null;
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
