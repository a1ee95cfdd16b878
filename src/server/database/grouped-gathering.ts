import { Gathering, type Gathered, type GatheringOptions } from "./gathering.ts";

export interface GroupedGatheringOptions<Group, Item, Result> extends Omit<
  GatheringOptions<Item, Result>,
  "work"
> {
  /** The same for groups that are the same. */
  readonly nameOf: (group: Group) => string;
  /** Does what was gathered of one group: it answers each, and does not throw. */
  readonly work: (group: Group, gathered: readonly Gathered<Item, Result>[]) => Promise<void>;
}

interface OfGroup<Item, Result> {
  readonly items: Gathering<Item, Result>;
  waiting: number;
}

/** Gathers what can be done together of one group only: each has works and a queue of its own. */
export class GroupedGathering<Group, Item, Result> {
  readonly #options: GroupedGatheringOptions<Group, Item, Result>;
  /** By name, as long as somebody waits for one of the group. */
  readonly #groups = new Map<string, OfGroup<Item, Result>>();

  constructor(options: GroupedGatheringOptions<Group, Item, Result>) {
    this.#options = options;
  }

  async add(group: Group, item: Item): Promise<Result> {
    const { nameOf, work, ...options } = this.#options;
    const name = nameOf(group);
    let ofGroup = this.#groups.get(name);
    if (ofGroup === undefined) {
      const items = new Gathering<Item, Result>({
        ...options,
        work: (gathered) => work(group, gathered),
      });
      this.#groups.set(name, (ofGroup = { items, waiting: 0 }));
    }
    ofGroup.waiting += 1;
    try {
      return await ofGroup.items.add(item);
    } finally {
      ofGroup.waiting -= 1;
      if (ofGroup.waiting === 0) this.#groups.delete(name);
    }
  }
}
