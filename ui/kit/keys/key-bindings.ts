import { splitGraphemes } from "#lib/terminal-text.ts";
import type { KeyFacts } from "./key-reasons.ts";
import { keyTable, scopes, type Intent, type KeyEntry, type Scope } from "./key-table.ts";

/** Resolves keys on the current screen: the layer that handles a key, or why it is disabled. */

/** Handlers by intent; `count` is above 1 when a key came several times in a burst. */
export type KeyHandlers = { readonly [Name in Intent]?: ((count: number) => void) | undefined };

export interface KeyLayer {
  readonly scope: Scope;
  readonly handlers: KeyHandlers;
  readonly facts: KeyFacts;
  /** Receives typed text, and pasted text in one piece with its line ends. */
  readonly text?: ((text: string) => void) | undefined;
}

/** A key of the current screen, with the reason where it is disabled. */
export interface Binding {
  readonly entry: KeyEntry<Intent>;
  readonly scope: Scope;
  readonly reason: string | undefined;
  readonly run: (count: number) => void;
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

const entriesOf = new Map<Scope, readonly KeyEntry<Intent>[]>(
  Object.keys(scopes)
    .filter((name): name is Scope => Object.hasOwn(scopes, name))
    .map((scope) => [scope, keyTable.filter((entry) => entry.where.includes(scope))]),
);

function bindingOf(entry: KeyEntry<Intent>, layer: KeyLayer, facts: KeyFacts): Binding {
  return {
    entry,
    scope: layer.scope,
    reason: entry.disabledReason?.(facts),
    // Looked up when it runs: a palette runs a binding some frames after listing it.
    run: (count) => layer.handlers[entry.intent]?.(count),
  };
}

/** The binding of one key: that of the deepest layer that handles it. */
export function bindingFor(layers: readonly KeyLayer[], name: string): Binding | undefined {
  for (const layer of hearingLayers(layers)) {
    for (const entry of entriesOf.get(layer.scope) ?? []) {
      if (!entry.keys.includes(name) || layer.handlers[entry.intent] === undefined) continue;
      return bindingOf(entry, layer, factsOf(layers));
    }
  }
  return undefined;
}

function isTyped(name: string): boolean {
  return name === "space" || splitGraphemes(name).length === 1;
}

/** All bindings, deepest scope first, in the table's order within a scope. */
export function bindingsOf(layers: readonly KeyLayer[]): Binding[] {
  const facts = factsOf(layers);
  const taken = new Set<string>();
  const bindings: Binding[] = [];
  let isTyping = false;
  for (const layer of hearingLayers(layers)) {
    // From this layer on, characters are text.
    isTyping ||= layer.text !== undefined;
    for (const entry of entriesOf.get(layer.scope) ?? []) {
      if (layer.handlers[entry.intent] === undefined) continue;
      const free = entry.keys.filter((name) => !taken.has(name) && !(isTyping && isTyped(name)));
      if (free.length === 0) continue;
      for (const name of free) taken.add(name);
      bindings.push(bindingOf({ ...entry, keys: free }, layer, facts));
    }
  }
  return bindings;
}
