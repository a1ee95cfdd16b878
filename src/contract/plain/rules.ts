/**
 * Checks and changes of values that need code. The contract's schemas use them by name, so that a
 * client that has the contract as plain data has the same ones. These are the checks of the domains
 * that a page loads at once; `rule.ts` adds those of the others.
 */

type Members = Readonly<Record<string, unknown>>;

/** The checks by their names; settings follow the value. */
export const pageRules = {
  "members at least": (object: object, least: number): boolean =>
    Object.keys(object).length >= least,
  "members at most": (object: object, most: number): boolean => Object.keys(object).length <= most,
  "no items": (value: object): boolean => !("items" in value && Array.isArray(value.items)),
  "field of metric": ({ op, field }: Members): boolean => op === "count" || field !== undefined,
} as const;

/** The name of a check with its settings. */
export type RuleUse = readonly [name: string, ...settings: readonly (string | number)[]];

type Check = (value: unknown, ...settings: readonly unknown[]) => boolean;

const rules = new Map<string, unknown>(Object.entries(pageRules));

/** Adds the checks of other domains by their names. */
export function addRules(more: object): void {
  for (const [name, check] of Object.entries(more)) rules.set(name, check);
}

/** True if a rule holds for a value of the type that it checks. */
export function holds([name, ...settings]: RuleUse, value: unknown): boolean {
  const check = rules.get(name) as Check | undefined;
  if (check === undefined) throw new TypeError(`The contract has no rule ${name}`);
  return check(value, ...settings);
}

/** The changes by their names. */
export const changes = {
  /** Digits of a path or query as the number. */
  "from digits": (given: number | string): number | string =>
    typeof given === "string" && /^-?\d+$/.test(given) ? Number(given) : given,
  "is true": (text: string): boolean => text === "true",
  text: (value: number): string => String(value),
} as const;

export type ChangeName = keyof typeof changes;
