import type { Resource } from "#client/index.ts";
import type { Meaning } from "#contract/object-types/properties.ts";
import { ownMember } from "#lib/own-member.ts";
import { distanceWords, dueWords, numberWords, type Urgency } from "../text/words.ts";
import { isStatusName, statusLook, type StatusLook } from "../theme/theme.ts";
import type { Token } from "../theme/skin.ts";
import { dataFields, type DefinedFields } from "./data-fields.ts";
import { textIn, type AnyProperty } from "./property.ts";

/** A value as its meaning shows it; the colour repeats what a sign in the text says. */
export interface MeantValue {
  readonly text: string;
  readonly token?: Token | undefined;
}

/** The parts of a property by which its values are drawn. */
interface Meant {
  readonly meaning: string | undefined;
  readonly currency: string | undefined;
  readonly closed: ReadonlySet<unknown>;
}

// A definition is looked into once, since each row has values of it.
const meant = new WeakMap<AnyProperty, Meant>();

function meantBy(property: AnyProperty): Meant {
  const known = meant.get(property);
  if (known !== undefined) return known;
  const closed = ownMember(property, "closed");
  const read = {
    meaning: textIn(property, "meaning"),
    currency: textIn(property, "currency"),
    closed: new Set<unknown>(Array.isArray(closed) ? closed : []),
  };
  meant.set(property, read);
  return read;
}

export function hasMeaning(property: AnyProperty | undefined, meaning: Meaning): boolean {
  return property !== undefined && meantBy(property).meaning === meaning;
}

interface NamedProperty {
  readonly name: string;
  readonly property: AnyProperty;
}

// A screen asks for the same type in each frame.
const owners = new WeakMap<DefinedFields, ReadonlyMap<Meaning, NamedProperty>>();

/** The property of a type with a meaning that at most one property has. */
export function propertyMeaning(type: DefinedFields, meaning: Meaning): NamedProperty | undefined {
  const known = owners.get(type) ?? namedMeanings(type);
  owners.set(type, known);
  return known.get(meaning);
}

function namedMeanings(type: DefinedFields): ReadonlyMap<Meaning, NamedProperty> {
  const meanings: readonly Meaning[] = ["due", "title", "status"];
  const fields = Object.entries<AnyProperty>(dataFields(type));
  return new Map(
    meanings.flatMap((meaning) => {
      const [name, property] = fields.find(([, each]) => hasMeaning(each, meaning)) ?? [];
      const isKnown = name !== undefined && property !== undefined;
      return isKnown ? [[meaning, { name, property }] as const] : [];
    }),
  );
}

/** True if values of a property are drawn as statuses. */
export function isStatus(name: string, property: AnyProperty | undefined): boolean {
  return isStatusName(name) || hasMeaning(property, "status");
}

/** True if a record is done, as its status says. */
export function isClosed(type: DefinedFields, data: Resource["data"]): boolean {
  return closedStates(type).some(([name, states]) => states.has(data[name]));
}

/** The property with the status of a record, if any, with the states in which it is done. */
export function closedStates(
  type: DefinedFields,
): readonly (readonly [name: string, states: ReadonlySet<unknown>])[] {
  const status = propertyMeaning(type, "status");
  return status === undefined ? [] : [[status.name, meantBy(status.property).closed]];
}

/** The sign and the colour of a status; a closed one is dimmed. */
export function statusOf(property: AnyProperty | undefined, value: string): StatusLook {
  const look = statusLook(value);
  if (property === undefined || !meantBy(property).closed.has(value)) return look;
  return { glyph: look.token === "text" ? "✓" : look.glyph, token: "quiet" };
}

/** The colours of due dates; their signs are in their words. */
export const urgencyTokens: Readonly<Record<Urgency, Token | undefined>> = {
  late: "bad",
  soon: "warn",
  later: undefined,
};

/** How far a due date is; that of a record that is done is dimmed and has no sign. */
export function dueDistance(value: string, nowMs: number, closed: boolean): MeantValue {
  if (closed) return { text: distanceWords(value, nowMs), token: "quiet" };
  const { words, urgency } = dueWords(value, nowMs);
  return { text: words, token: urgencyTokens[urgency] };
}

/** An amount with its currency and thousands: `£1,751.50`; undefined for another value. */
export function amountWords(property: AnyProperty | undefined, value: unknown): string | undefined {
  const currency = property === undefined ? undefined : currencyOf(property);
  const isAmount = typeof value === "number" && Number.isFinite(value);
  return currency !== undefined && isAmount ? numberWords(value, currency) : undefined;
}

/** The currency of a property with the meaning money. */
export function currencyOf(property: AnyProperty): string | undefined {
  const { meaning, currency } = meantBy(property);
  return meaning === "money" ? currency : undefined;
}
