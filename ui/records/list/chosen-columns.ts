/**
 * The columns that a user has chosen, by workspace and Object Type, as they stand in the profile.
 * The file may have been written by anybody: what does not fit is left out.
 */

export type ChosenColumns = ReadonlyMap<string, readonly string[]>;

const maximumPlaces = 200;
const maximumNames = 100;

/** Under which name a table's columns are kept. */
export function columnsPlace(workspaceId: string, objectType: string): string {
  return `${workspaceId} ${objectType}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w{0,127}$/.test(value);
}

export function readChosenColumns(value: unknown): ChosenColumns {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
  const places = Object.entries(value).slice(-maximumPlaces);
  return new Map(
    places.flatMap(([place, names]: [string, unknown]) => {
      if (!Array.isArray(names) || place.length > 500) return [];
      const usable = [...new Set(names.filter(isName))].slice(0, maximumNames);
      return usable.length === 0 ? [] : [[place, usable] as const];
    }),
  );
}

/** With one table's columns changed, or its own again; the oldest go where there are too many. */
export function withColumns(
  kept: ChosenColumns,
  place: string,
  names: readonly string[] | undefined,
): ChosenColumns {
  const others = [...kept].filter(([one]) => one !== place);
  const all = names === undefined ? others : [...others, [place, names] as const];
  return new Map(all.slice(-maximumPlaces));
}
