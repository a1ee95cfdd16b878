/** The chosen columns by workspace and Object Type, as the profile stores them. */
export type ChosenColumns = ReadonlyMap<string, readonly string[]>;

const maximumPlaces = 200;
const maximumNames = 100;

export function columnsPlace(workspaceId: string, objectType: string): string {
  return `${workspaceId} ${objectType}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w{0,127}$/.test(value);
}

/** Reads the profile, which any program may have written: ignores what does not fit. */
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

/** Sets the columns of one table, or removes them without names; drops the oldest beyond 200. */
export function withColumns(
  columns: ChosenColumns,
  place: string,
  names: readonly string[] | undefined,
): ChosenColumns {
  const others = [...columns].filter(([each]) => each !== place);
  const all = names === undefined ? others : [...others, [place, names] as const];
  return new Map(all.slice(-maximumPlaces));
}
