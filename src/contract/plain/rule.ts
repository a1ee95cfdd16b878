import { isEmailAddress, looksLikeAnother } from "#lib/email-address.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { isGroupClaim } from "../access/group-claims.ts";

import { addRules, changes, holds, pageRules, type ChangeName, type RuleUse } from "./rules.ts";

/** All checks by their names, for the contract's schemas. */

type Members = Readonly<Record<string, unknown>>;

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** An address that a code may be sent to: HTTPS, or HTTP on this machine (RFC 9700, 2.6). */
function isRedirectAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\x00-\x20\x7f-\uffff]/.test(text)) return false;
  const { protocol, hostname, hash, username, password } = new URL(text);
  const isProtected = protocol === "https:";
  const isLocal = protocol === "http:" && loopbackNames.includes(hostname);
  return (isProtected || isLocal) && hash === "" && username === "" && password === "";
}

function isTimeZone(name: string): boolean {
  // `Intl` also knows offsets and other cases, which most time zone libraries refuse.
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    const { timeZone: known } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

function countGiven(object: Members, names: readonly string[]): number {
  return names.filter((name) => object[name] !== undefined).length;
}

const hasPlaceholder = ({ path }: Members): boolean =>
  typeof path === "string" && path.includes("{");

/** The checks by their names; settings follow the value. */
const furtherRules = {
  "web address": (text: string): boolean =>
    /^https?:\/\/[^\t\n\r]*$/i.test(text) && URL.canParse(text),
  "no user name": (text: string): boolean => !URL.canParse(text) || new URL(text).username === "",
  "redirect address": isRedirectAddress,
  base64: (text: string): boolean => text.length % 4 === 0 && /^[0-9A-Za-z+/]*={0,2}$/.test(text),
  "time zone": isTimeZone,
  "no id": (text: string): boolean => canonicalUuid(text) === undefined,
  "looks like no other address": (text: string): boolean => !looksLikeAnother(text),
  "mail address": isEmailAddress,
  "group claim": isGroupClaim,
  "own name": (name: string): boolean => !(name in {}),
  "none of": (text: string, ...names: readonly string[]): boolean => !names.includes(text),
  "keys at most": (text: string, most: number): boolean => text.split(",").length <= most,
  /** Exactly one of two members is given. */
  either: (object: Members, ...names: readonly string[]): boolean =>
    countGiven(object, names) === 1,
  "not both": (object: Members, ...names: readonly string[]): boolean =>
    countGiven(object, names) < 2,
  some: (object: Members, ...names: readonly string[]): boolean => countGiven(object, names) > 0,
  /** The first member is not given, or has the value of the second. */
  "same if given": (object: Members, name: string, other: string): boolean =>
    object[name] === undefined || object[name] === object[other],
  /** The first member is not given, or none of the others is given and not false. */
  alone: (object: Members, name: string, ...others: readonly string[]): boolean =>
    object[name] === undefined || !others.some((other) => Boolean(object[other])),
  "each once": (items: readonly Members[], name: string): boolean =>
    new Set(items.map((item) => item[name])).size === items.length,
  "address unless temporary": ({ url, temporary }: Members): boolean =>
    (url === undefined) === temporary,
  "workflow by POST": ({ workflow, method }: Members): boolean =>
    workflow === undefined || method === "POST",
  "action of a record": (route: Members): boolean =>
    route["action"] === undefined || (route["method"] === "POST" && hasPlaceholder(route)),
  "change of a record": (route: Members): boolean =>
    !["PUT", "PATCH", "DELETE"].includes(String(route["method"])) || hasPlaceholder(route),
} as const;

addRules(furtherRules);

const allRules = { ...pageRules, ...furtherRules };

export type RuleName = keyof typeof allRules;

type Settings<Name extends RuleName> =
  Parameters<(typeof allRules)[Name]> extends [unknown, ...infer Rest] ? Rest : never;
type Checked<Name extends RuleName> = Parameters<(typeof allRules)[Name]>[0];

const uses = new WeakMap<object, RuleUse>();

/** The check of this name, for a schema's `refine`. */
export function rule<Name extends RuleName>(
  name: Name,
  ...settings: Settings<Name>
): (value: Checked<Name>) => boolean {
  const use = [name, ...(settings as readonly (string | number)[])] as const;
  const check = (value: Checked<Name>): boolean => holds(use, value);
  uses.set(check, use);
  return check;
}

/** The name and settings of a check that {@link rule} made. */
export function ruleOf(check: object): RuleUse | undefined {
  return uses.get(check);
}

const changeNames = new Map<unknown, string>(
  Object.entries(changes).map(([name, change]) => [change, name]),
);

/** The name of a change in {@link changes}. */
export function changeNameOf(change: unknown): ChangeName | undefined {
  return changeNames.get(change) as ChangeName | undefined;
}
