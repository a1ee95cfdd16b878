import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, MergeableUnit, Writer } from "../../database/database.ts";
import type { KeyHolder } from "../../http/ports.ts";
import { KeyClaim } from "./service.ts";

/** Stores the records of keys for services that take no work yet. */
export class AmbientKeys {
  readonly #current = new AsyncLocalStorage<KeyHolder>();

  constructor(private readonly database: Database) {}

  /** Runs a handler so that its writes also store the record of `holder.claimed`. */
  run<T>(holder: KeyHolder, work: () => T): T {
    return this.#current.run(holder, work);
  }

  /** The transaction of a keyed request also stores the key's record. */
  keyedDatabase(): Database {
    const { database } = this;
    const begun = (): KeyClaim | undefined => {
      const claimed = this.#current.getStore()?.claimed;
      return claimed instanceof KeyClaim && claimed.begin() ? claimed : undefined;
    };
    return {
      ...database,
      write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
        const claim = begun();
        if (claim === undefined) return database.write(work);
        return recording(claim, () =>
          database.write(async (writer) => {
            const value = await work(writer);
            await store(writer, [claim]);
            return value;
          }),
        );
      },
      merged<Item>(unit: MergeableUnit<Item>): (item: Item) => Promise<void> {
        const write = database.merged(withRecords(unit));
        return (item) => {
          const claim = begun();
          return claim === undefined
            ? write({ item, claim })
            : recording(claim, () => write({ item, claim }));
        };
      },
    };
  }
}

async function recording<T>(claim: KeyClaim, write: () => Promise<T>): Promise<T> {
  let isCommitted = false;
  try {
    const value = await write();
    isCommitted = true;
    return value;
  } finally {
    claim.end(isCommitted);
  }
}

async function store(writer: Writer, claims: readonly KeyClaim[]): Promise<void> {
  const [first] = claims;
  const recorded = claims.map((claim) => ({
    recording: claim,
    note: undefined,
    remembered: undefined,
  }));
  await first?.store(writer, recorded);
}

/** An item of a merged transaction, with the claim whose record it stores. */
interface Keyed<Item> {
  readonly item: Item;
  readonly claim: KeyClaim | undefined;
}

/** Wraps a merged transaction, which then also stores the records of keys. */
function withRecords<Item>(unit: MergeableUnit<Item>): MergeableUnit<Keyed<Item>> {
  const itemsOf = (all: readonly Keyed<Item>[]): Item[] => all.map(({ item }) => item);
  return {
    isMergeable: ({ item }) => unit.isMergeable(item),
    // A response is about as large as its request.
    weight: ({ item, claim }) => unit.weight(item) * (claim === undefined ? 1 : 2),
    async one(writer, { item, claim }) {
      await unit.one(writer, item);
      if (claim !== undefined) await store(writer, [claim]);
    },
    async all(writer, all) {
      const done = await unit.all(writer, itemsOf(all));
      await store(
        writer,
        all.flatMap(({ claim }, at) => (claim !== undefined && done[at] === true ? [claim] : [])),
      );
      return done;
    },
    isOneStatement: (all) =>
      all.every(({ claim }) => claim === undefined) && unit.isOneStatement(itemsOf(all)),
  };
}
