import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { defaultActionRole, roles } from "#contract/access/roles.ts";
import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { roleReason } from "../../kit/keys/reasons.ts";
import type { CommandWords } from "../../kit/places/action.ts";
import { isProperty, type AnyProperty } from "../../kit/data-fields/property.ts";

/** An action of a type for one record and one role. */
export interface RecordAction {
  readonly name: string;
  /** Its display name, else its name. */
  readonly words: string;
  /** The state change, e.g. `open → decided`; empty for an action without one. */
  readonly stateChange: string;
  /** The property whose state changes, and the new state. */
  readonly property: string | undefined;
  readonly to: string | undefined;
  readonly parameters: Readonly<Record<string, AnyProperty>>;
  readonly reason: string | undefined;
}

interface Transition {
  readonly property: string;
  readonly from: readonly string[];
  readonly to: string;
}

type AnyAction = NonNullable<ObjectType["actions"]>[number];

function transitionOf(action: AnyAction): Transition | undefined {
  const transition = action["transition"];
  if (!isJsonObject(transition) || !Array.isArray(transition["from"])) return undefined;
  const { from, to, property = "status" } = transition;
  if (typeof to !== "string" || typeof property !== "string") return undefined;
  return { property, from: from.filter((state: unknown) => typeof state === "string"), to };
}

function parametersOf(action: AnyAction): Record<string, AnyProperty> {
  const parameters = membersOf(action["parameters"]) ?? [];
  return Object.fromEntries(
    [...parameters].filter((entry): entry is [string, AnyProperty] => isProperty(entry[1])),
  );
}

function roleOf({ requires }: AnyAction): string {
  return typeof requires === "string" ? requires : defaultActionRole;
}

/** The command that executes an action on one record. */
export function actionCommand(
  target: {
    readonly tenantId: string;
    readonly slug: string;
    readonly id: string;
    readonly action: string;
  },
  body: { readonly parameters: JsonObject; readonly version: number },
): CommandWords {
  const { tenantId, slug, id, action } = target;
  const [workspace, type, record, name] = [tenantId, slug, id, action].map(encodeURIComponent);
  const path = `/v4/data/resources/${workspace}/${type}/${record}/actions/${name}`;
  return [["publicapi", "post", path], { data: JSON.stringify(body) }];
}

/** The lowest role that may execute any of a type's actions; `undefined` for an unknown role. */
export function actionRoleOf({ actions = [] }: ObjectType): string | undefined {
  const known: readonly string[] = roles;
  return known[Math.min(...actions.map((action) => known.indexOf(roleOf(action))))];
}

/** The actions of a type for a record, or for any, with the reason of each disabled one. */
export function actionsOf(
  type: ObjectType,
  record: Resource | undefined,
  role: string | undefined,
): RecordAction[] {
  return (type.actions ?? []).map((action): RecordAction => {
    const { name, displayName } = action;
    const transition = transitionOf(action);
    const { property, from = [], to }: Partial<Transition> = transition ?? {};
    const value =
      property === undefined || record === undefined ? undefined : ownMember(record.data, property);
    const state = typeof value === "string" ? value : undefined;
    const isAllowed =
      property === undefined ||
      record === undefined ||
      (state !== undefined && from.includes(state));
    const before = record === undefined ? from.join(" or ") : (state ?? "nothing");
    return {
      name,
      words: typeof displayName === "string" ? displayName : name,
      stateChange: property === undefined ? "" : `${before} → ${to}`,
      property,
      to,
      parameters: parametersOf(action),
      reason:
        roleReason(roleOf(action), role) ??
        (isAllowed ? undefined : `${property} must be ${from.join(" or ")}`),
    };
  });
}
