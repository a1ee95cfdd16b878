import type { RuleSettings } from "#contract/events/alerts.ts";
import type { AlertKind } from "#contract/events/alert-values.ts";
import { given } from "#lib/given.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { Promisable } from "../../kit/promisable.ts";
import { compileFilter, type FeedFilter } from "../feed/service.ts";
import type { ReadableType } from "../object-types/service.ts";

export interface CompiledRule {
  readonly filter: FeedFilter;
  /** The properties of records that an alert of the rule reveals. */
  readonly names: readonly string[];
  readonly deadline: Deadline | undefined;
}

/** The date of a type's records that a rule watches. */
export interface Deadline {
  readonly slug: string;
  readonly property: string;
  readonly isDate: boolean;
  /** The property with the meaning `status`, and its states in which a record is done. */
  readonly status: { readonly name: string; readonly closed: readonly unknown[] } | undefined;
}

const deadlineTypes: ReadonlySet<string> = new Set(["date", "datetime"]);

/**
 * Compiles the settings of a rule under its types, as `typeOf` shows them. Refuses 422 with a
 * pointer for a type, a property or a filter that is not there.
 */
export async function compiledRule(
  kind: AlertKind,
  settings: RuleSettings,
  typeOf: (slug: string) => Promisable<ReadableType | undefined>,
): Promise<CompiledRule> {
  const { kinds, types, where } = settings;
  const readable: ReadableType[] = [];
  for (const [at, slug] of (types ?? []).entries()) {
    const type = await typeOf(slug);
    if (type === undefined) {
      throw invalid([faultAt("body", ["types", at], "is not an Object Type that you may read")]);
    }
    readable.push(type);
  }
  const deadline = kind === "deadline" ? deadlineOf(readable, settings) : undefined;
  const filter = compileFilter(given({ kinds, types, where }), readable, []);
  const shown = new Set(filter.names).add(deadline?.property ?? "id");
  if (deadline?.status !== undefined) shown.add(deadline.status.name);
  shown.delete("id");
  return { filter, names: [...shown], deadline };
}

function deadlineOf(types: readonly ReadableType[], { property, days }: RuleSettings): Deadline {
  const [type, another] = types;
  if (type === undefined || another !== undefined) {
    throw invalid([faultAt("body", ["types"], "must name the one Object Type with the deadline")]);
  }
  if (days === undefined) throw invalid([faultAt("body", ["days"], "is required for a deadline")]);
  const entries = Object.entries(type.properties);
  const name = property ?? entries.find(([, { meaning }]) => meaning === "due")?.[0];
  if (name === undefined) {
    const detail = "is required: no property of this type has the meaning due";
    throw invalid([faultAt("body", ["property"], detail)]);
  }
  const definition = ownMember(type.properties, name);
  if (definition === undefined || !deadlineTypes.has(definition.type)) {
    throw invalid([faultAt("body", ["property"], "must be a date or datetime of the type")]);
  }
  const status = entries.find(
    ([, { meaning, closed = [] }]) => meaning === "status" && closed.length > 0,
  );
  return {
    slug: type.slug,
    property: name,
    isDate: definition.type === "date",
    status: status && { name: status[0], closed: status[1].closed ?? [] },
  };
}
