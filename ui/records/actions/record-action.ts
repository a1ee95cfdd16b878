import type { ObjectType, Resource } from "#client/index.ts";
import { defaultActionRole, roles } from "#contract/roles.ts";
import { ownMember } from "#lib/own-member.ts";
import { roleReason } from "../../kit/keys/key-table.ts";
import { isProperty, type AnyProperty } from "../../kit/data-fields/property.ts";

/** An action of a type, as it stands for one record and one reader. */
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
  /** Why it can't be done now. */
  readonly reason: string | undefined;
}

interface Transition {
  readonly property: string;
  readonly from: readonly string[];
  readonly to: string;
}

type AnyAction = NonNullable<ObjectType["actions"]>[number];

function transitionOf(action: AnyAction): Transition | undefined {
  const given = action["transition"];
  if (typeof given !== "object" || given === null) return undefined;
  if (!("from" in given) || !("to" in given) || !Array.isArray(given.from)) return undefined;
  const property = "property" in given ? given.property : "status";
  if (typeof given.to !== "string" || typeof property !== "string") return undefined;
  const from = given.from.filter((state: unknown) => typeof state === "string");
  return { property, from, to: given.to };
}

function parametersOf(action: AnyAction): Record<string, AnyProperty> {
  const given = action["parameters"];
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, AnyProperty] => isProperty(entry[1])),
  );
}

function stateWords(state: unknown): string {
  return typeof state === "string" ? state : "nothing";
}

function roleOf({ requires }: AnyAction): string {
  return typeof requires === "string" ? requires : defaultActionRole;
}

/** The lowest role that does any of a type's actions; nothing where one of them is not known. */
export function actionRoleOf({ actions = [] }: ObjectType): string | undefined {
  const known: readonly string[] = roles;
  const places = actions.map((action) => known.indexOf(roleOf(action)));
  return known[Math.min(...places)];
}

/** The actions of a type for a record: which can be done in its state, and with this role. */
export function actionsOf(
  type: ObjectType,
  record: Resource,
  role: string | undefined,
): RecordAction[] {
  return (type.actions ?? []).map((action): RecordAction => {
    const { name, displayName } = action;
    const transition = transitionOf(action);
    const state =
      transition === undefined ? undefined : ownMember(record.data, transition.property);
    const isAllowed =
      transition === undefined || (typeof state === "string" && transition.from.includes(state));
    const unfit = isAllowed
      ? undefined
      : `${transition.property} must be ${transition.from.join(" or ")}`;
    return {
      name,
      words: typeof displayName === "string" ? displayName : name,
      stateChange: transition === undefined ? "" : `${stateWords(state)} → ${transition.to}`,
      property: transition?.property,
      to: transition?.to,
      parameters: parametersOf(action),
      reason: roleReason(roleOf(action), role) ?? unfit,
    };
  });
}
