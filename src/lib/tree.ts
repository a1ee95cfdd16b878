/** A visible row of a tree: an item, its depth, and whether its children are shown. */
export interface TreeRow<Item> {
  readonly item: Item;
  readonly depth: number;
  readonly fold: "open" | "closed" | "leaf";
}

interface TreeOptions<Item> {
  readonly idOf: (item: Item) => string;
  readonly parentOf: (item: Item) => string | null | undefined;
  /** Ids of items whose children are hidden; none by default. */
  readonly folded?: ReadonlySet<string>;
}

const nothingFolded: ReadonlySet<string> = new Set();

/** The visible rows of a forest. An item without its parent is a root; rings are shown flat. */
export function treeRows<Item>(
  items: readonly Item[],
  options: TreeOptions<Item>,
): TreeRow<Item>[] {
  const { idOf, parentOf, folded = nothingFolded } = options;
  const ids = new Set(items.map(idOf));
  const roots: Item[] = [];
  const children = new Map<string, Item[]>();
  for (const item of items) {
    const parent = parentOf(item);
    if (parent === undefined || parent === null || !ids.has(parent)) roots.push(item);
    else {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [item]);
      else siblings.push(item);
    }
  }
  const rows: TreeRow<Item>[] = [];
  const seen = new Set<string>();
  const waiting = roots.map((item) => ({ item, depth: 0, visible: true })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { item, depth, visible } = next;
    const id = idOf(item);
    seen.add(id);
    const below = children.get(id) ?? [];
    const fold = below.length === 0 ? "leaf" : folded.has(id) ? "closed" : "open";
    if (visible) rows.push({ item, depth, fold });
    const shown = visible && fold === "open";
    for (const child of below.toReversed()) {
      waiting.push({ item: child, depth: depth + 1, visible: shown });
    }
  }
  for (const item of items) {
    if (!seen.has(idOf(item))) rows.push({ item, depth: 0, fold: "leaf" });
  }
  return rows;
}
