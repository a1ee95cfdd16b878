import { splitGraphemes } from "#lib/text/terminal.ts";
import type { commonKeys, listKeys } from "./base-keys.ts";
import { scopes, type KeyEntry, type KeyGroup, type Scope } from "./keys.ts";
import type { KeyFacts } from "./reasons.ts";

/** Resolves keys on the current screen: the layer that handles a key, or why it is disabled. */

/** `count` is above 1 when a key came several times in a burst. */
type Handler = ((count: number) => void) | undefined;

/** Handlers by intent, of the kit's keys and of those of a noun. */
export type KeyHandlers<Keys extends KeyGroup = Readonly<Record<never, never>>> = {
  readonly [Intent in keyof typeof listKeys | keyof typeof commonKeys | keyof Keys]?: Handler;
};

/** Handlers by intent, of any keys. */
export type AnyHandlers = Readonly<Record<string, Handler>>;

export interface KeyLayer {
  readonly scope: Scope;
  readonly handlers: AnyHandlers;
  readonly facts: KeyFacts;
  /** Receives typed text, and pasted text in one piece with its line ends. */
  readonly text?: ((text: string) => void) | undefined;
  /** Why a text is not taken: it is refused whole, with this reason. */
  readonly textProblem?: ((text: string) => string | undefined) | undefined;
}

/** A key of the current screen, with the reason where it is disabled. */
export interface Binding {
  readonly entry: KeyEntry;
  readonly scope: Scope;
  readonly reason: string | undefined;
  readonly run: (count: number) => void;
}

/** The keys of a program, found by scope and by key. */
export class KeyTable {
  readonly entries: readonly KeyEntry[];
  readonly #byScope: ReadonlyMap<Scope, readonly KeyEntry[]>;
  readonly #byKey: ReadonlyMap<string, readonly KeyEntry[]>;

  constructor(entries: readonly KeyEntry[]) {
    this.entries = entries;
    const placed = entries.flatMap((entry) => entry.where.map((scope) => ({ scope, entry })));
    const keyed = placed.flatMap(({ scope, entry }) =>
      entry.keys.map((name) => ({ at: `${scope} ${name}`, entry })),
    );
    const entriesOf = (some: readonly { readonly entry: KeyEntry }[]) =>
      some.map(({ entry }) => entry);
    this.#byScope = new Map(
      Array.from(
        Map.groupBy(placed, ({ scope }) => scope),
        ([scope, some]) => [scope, entriesOf(some)],
      ),
    );
    this.#byKey = new Map(
      Array.from(
        Map.groupBy(keyed, ({ at }) => at),
        ([at, some]) => [at, entriesOf(some)],
      ),
    );
  }

  /** The capabilities that the keys depend on. */
  capabilities(): readonly string[] {
    const all = this.entries.flatMap((entry) => entry.disabledReason?.capabilities ?? []);
    return [...new Set(all)];
  }

  in(scope: Scope): readonly KeyEntry[] {
    return this.#byScope.get(scope) ?? [];
  }

  at(scope: Scope, name: string): readonly KeyEntry[] {
    return this.#byKey.get(`${scope} ${name}`) ?? [];
  }
}

/** Why a key of another place, or of other rows, does nothing. */
export const notHere = "does not apply here";

/** The first scopes in which a screen may lack a key that others have. */
const placeScopes: readonly Scope[] = ["pane", "place"];

/** The key of other places with this name, if the screen itself has none; not one that moves. */
export function keyElsewhere(table: KeyTable, name: string): KeyEntry | undefined {
  const entries = placeScopes.flatMap((scope) => table.at(scope, name));
  return entries.find(({ onlyKey }) => onlyKey !== true);
}

/** The keys of other places, each text once, without those that the screen has. */
export function keysElsewhere(table: KeyTable, bindings: readonly Binding[]): KeyEntry[] {
  const known = new Set(bindings.map(({ entry }) => entry.words));
  return placeScopes
    .flatMap((scope) => table.in(scope))
    .filter(({ words, onlyKey }) => {
      if (onlyKey === true || known.has(words)) return false;
      known.add(words);
      return true;
    });
}

/** The layers that receive keys: deepest first, later before earlier, none below a modal. */
export function hearingLayers(layers: readonly KeyLayer[]): KeyLayer[] {
  const sorted = layers
    .toReversed()
    .toSorted((a, b) => scopes[b.scope].depth - scopes[a.scope].depth);
  const modal = sorted.find((layer) => scopes[layer.scope].modal);
  if (modal === undefined) return sorted;
  const floor = scopes[modal.scope].depth;
  return sorted.filter((layer) => scopes[layer.scope].depth >= floor);
}

/** The facts of all layers; deeper layers win. */
export function factsOf(layers: readonly KeyLayer[]): KeyFacts {
  let facts: KeyFacts = {};
  for (const layer of layers.toSorted((a, b) => scopes[a.scope].depth - scopes[b.scope].depth)) {
    facts = { ...facts, ...layer.facts };
  }
  return facts;
}

function bindingOf(entry: KeyEntry, layer: KeyLayer, facts: KeyFacts): Binding {
  return {
    entry,
    scope: layer.scope,
    reason: entry.disabledReason?.of(facts),
    // Looked up when it runs: a palette runs a binding some frames after listing it.
    run: (count) => layer.handlers[entry.intent]?.(count),
  };
}

/** The binding of one key: that of the deepest of the hearing layers that handles it. */
export function bindingFor(
  table: KeyTable,
  { hearing, all }: { readonly hearing: readonly KeyLayer[]; readonly all: readonly KeyLayer[] },
  name: string,
): Binding | undefined {
  for (const layer of hearing) {
    for (const entry of table.at(layer.scope, name)) {
      if (layer.handlers[entry.intent] === undefined) continue;
      const facts = entry.disabledReason === undefined ? {} : factsOf(all);
      return bindingOf(entry, layer, facts);
    }
  }
  return undefined;
}

function isTyped(name: string): boolean {
  return name === "space" || splitGraphemes(name).length === 1;
}

/** All bindings, deepest scope first, in the table's order within a scope. */
export function bindingsOf(table: KeyTable, layers: readonly KeyLayer[]): Binding[] {
  const facts = factsOf(layers);
  const taken = new Set<string>();
  const bindings: Binding[] = [];
  let isTyping = false;
  for (const layer of hearingLayers(layers)) {
    // Characters are text for this layer and those below it.
    isTyping ||= layer.text !== undefined;
    for (const entry of table.in(layer.scope)) {
      if (layer.handlers[entry.intent] === undefined) continue;
      const free = entry.keys.filter((name) => !taken.has(name) && !(isTyping && isTyped(name)));
      if (free.length === 0) continue;
      for (const name of free) taken.add(name);
      bindings.push(bindingOf({ ...entry, keys: free }, layer, facts));
    }
  }
  return bindings;
}
