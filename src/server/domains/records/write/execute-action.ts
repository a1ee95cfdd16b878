import type { ActionDefinition } from "#contract/object-types/object-types.ts";
import { compileRecordCheck, type CheckedRecord } from "#contract/object-types/record.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { parameterIn, type ActionCall } from "#contract/resources/actions.ts";
import { defaultActionRole, roleIncludes } from "#contract/access/roles.ts";
import type { JsonObject } from "#contract/values.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import type { VersionMatch, WorkspaceScope } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import { invalid } from "../../../kit/faults.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { roleTooLow } from "../../../work/refusals.ts";
import type { ShownRecord } from "../record.ts";
import { checkedKeeping } from "./merged-data.ts";
import { requireParameter, withoutHiddenNames, writeRightsOf } from "../rights/permitted-data.ts";
import type { NextCheck, RecordUpdates } from "./update-records.ts";

export interface ActionRequest extends ActionCall {
  /** The workspace, with the caller's role. */
  readonly workspace: WorkspaceScope;
  readonly slug: string;
  readonly id: string;
  readonly action: string;
  readonly ifMatch: VersionMatch | undefined;
}

/** Actions of Object Types on a record (spec 4.2): each is an update under the action's name. */
export class ResourceActions {
  constructor(private readonly updates: RecordUpdates) {}

  /**
   * The record after the action, or only its id, type and version for a caller that may not read
   * records. 403 for a role that is too low, 409 for a state that the action does not start from
   * and for a stale `version`, 412 for a stale `If-Match`, 422 for invalid parameters.
   */
  async execute(work: Work, request: ActionRequest): Promise<Resource> {
    const { workspace, slug, id, version, ifMatch, parameters } = request;
    const mayRead = workspace.permissions?.has("resources.get") !== false;
    const scope = { workspaceId: workspace.id, slug };
    const editOf = (type: CompiledType) => {
      const action = actionOf(type, request.action);
      const required = action.requires ?? defaultActionRole;
      if (!roleIncludes(workspace.role, required)) throw roleTooLow(required, workspace.role);
      return {
        operation: action.name,
        // An action runs by its `requires`, whatever roles write the type and its fields.
        rightsOf: writeRightsOf,
        next(_: unknown, stored: JsonObject, { patterns, rights }: NextCheck) {
          const state = action.transition?.property ?? "";
          requireState(action, stored, mayRead && rights?.mayRead(state) !== false);
          const { data, references } = parametersOf(action, parameters);
          const checked = dataAfter(type, action, { stored, parameters: data, patterns, rights });
          return { checked, references };
        },
      };
    };
    const answerOf = (resource: Resource): Resource =>
      mayRead ? resource : { ...receiptOf(resource), data: {} };
    const item = { id, version, ifMatch };
    const resource = await this.updates.single(work, scope, item, editOf, (written, facts) =>
      facts.remember(answerOf(written)),
    );
    return answerOf(resource);
  }
}

function receiptOf({ id, type, version }: Resource): Pick<Resource, "id" | "type" | "version"> {
  return { id, type, version };
}

function actionOf(type: CompiledType, name: string): ActionDefinition {
  const action = type.stored.definition.actions.find((one) => one.name === name);
  if (action !== undefined) return action;
  throw new Refusal("not-found", { detail: "This Object Type has no action of this name" });
}

/** 409, with the record's state and the allowed states for a caller that may read them. */
function requireState(
  { name, transition }: ActionDefinition,
  stored: JsonObject,
  mayRead: boolean,
): void {
  if (transition === undefined) return;
  const { property, from } = transition;
  const state = ownMember(stored, property) ?? null;
  if (typeof state === "string" && from.includes(state)) return;
  if (!mayRead) {
    const detail = `Cannot ${name} this record: its state does not allow the action`;
    throw new Refusal("conflict", { detail });
  }
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

/** The record's data after the action, checked under the type. */
function dataAfter(
  type: CompiledType,
  action: ActionDefinition,
  {
    stored,
    parameters,
    patterns,
    rights,
  }: {
    readonly stored: JsonObject;
    readonly parameters: JsonObject;
  } & Pick<NextCheck, "patterns" | "rights">,
): ShownRecord {
  const next: JsonObject = { ...stored };
  for (const [name, value] of Object.entries(action.set ?? {})) {
    const parameter = parameterIn(value);
    if (parameter === undefined) next[name] = value;
    else if (Object.hasOwn(parameters, parameter)) {
      const given = parameters[parameter];
      const isSame = sameJson(given, ownMember(stored, name));
      requireParameter(rights, { name, parameter, isSame });
      next[name] = given;
    }
  }
  if (action.transition !== undefined) next[action.transition.property] = action.transition.to;
  const base = ["data"];
  const checked = checkedKeeping(type, next, { isCreation: false, base, stored, patterns });
  return withoutHiddenNames(rights, checked, base);
}
