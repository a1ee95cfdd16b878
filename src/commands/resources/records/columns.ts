import type { Column } from "#cli/output/table.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { ownMember } from "#lib/own-member.ts";
import { valueText } from "../../kit/output/rows.ts";

const maximumDataColumns = 5;

/** ID, version and up to five fields in order of appearance; long and nested values come last. */
export function resourceColumns(items: readonly Resource[]): Column<Resource>[] {
  const facts = new Map<string, { count: number; width: number; nested: boolean }>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item.data)) {
      const fact = facts.get(name) ?? { count: 0, width: 0, nested: false };
      fact.count += value === null ? 0 : 1;
      fact.width = Math.max(fact.width, valueText(value).length);
      fact.nested ||= typeof value === "object" && value !== null;
      facts.set(name, fact);
    }
  }
  const rank = (fact: { nested: boolean; width: number }): number =>
    (fact.nested ? 2 : 0) + (fact.width > 60 ? 1 : 0);
  const names = [...facts]
    .filter(([, fact]) => fact.count > 0)
    .toSorted(([, left], [, right]) => rank(left) - rank(right))
    .slice(0, maximumDataColumns)
    .map(([name]) => name);
  return [
    { heading: "id", value: (row) => row.id, whole: true },
    { heading: "v", value: (row) => row.version, align: "right", whole: true },
    ...names.map((name): Column<Resource> => ({
      heading: name,
      value: (row) => valueText(ownMember(row.data, name)),
      optional: true,
    })),
  ];
}
