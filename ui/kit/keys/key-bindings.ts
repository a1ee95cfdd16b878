import { splitGraphemes } from "#lib/terminal-text.ts";
import {
  keyTable,
  scopes,
  type Intent,
  type KeyEntry,
  type KeyFacts,
  type Scope,
} from "./key-table.ts";

/** What the keys of the table do on the screen as it is: which layer hears one, and why it may not. */

/** What a layer does about intents; `count` is above 1 when a key came several times in a burst. */
export type KeyHandlers = { readonly [Name in Intent]?: ((count: number) => void) | undefined };

/** A part of the screen that takes keys while it is shown. */
export interface KeyLayer {
  readonly scope: Scope;
  readonly handlers: KeyHandlers;
  readonly facts: KeyFacts;
  /** Takes printable text; what is pasted comes here whole, line ends and all. */
  readonly text?: ((text: string) => void) | undefined;
}

/** A key that works now, and why not where it does not. */
export interface Binding {
  readonly entry: KeyEntry<Intent>;
  readonly scope: Scope;
  readonly reason: string | undefined;
  readonly run: (count: number) => void;
}

/** The layers that hear keys: deepest first, later ones before earlier, none below a modal. */
export function hearingLayers(layers: readonly KeyLayer[]): KeyLayer[] {
  const sorted = layers
    .toReversed()
    .toSorted((a, b) => scopes[b.scope].depth - scopes[a.scope].depth);
  const modal = sorted.find((layer) => scopes[layer.scope].modal);
  if (modal === undefined) return sorted;
  const floor = scopes[modal.scope].depth;
  return sorted.filter((layer) => scopes[layer.scope].depth >= floor);
}

/** All facts of the layers, deeper ones winning. */
export function factsOf(layers: readonly KeyLayer[]): KeyFacts {
  let facts: KeyFacts = {};
  for (const layer of layers.toSorted((a, b) => scopes[a.scope].depth - scopes[b.scope].depth)) {
    facts = { ...facts, ...layer.facts };
  }
  return facts;
}

/** The table by scope, since a key press asks one scope after the other. */
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
    // Looked up when it runs: a palette may run what it listed some frames ago.
    run: (count) => layer.handlers[entry.intent]?.(count),
  };
}

/** What one key does now: the deepest layer that handles it wins. */
export function bindingFor(layers: readonly KeyLayer[], name: string): Binding | undefined {
  for (const layer of hearingLayers(layers)) {
    for (const entry of entriesOf.get(layer.scope) ?? []) {
      if (!entry.keys.includes(name) || layer.handlers[entry.intent] === undefined) continue;
      return bindingOf(entry, layer, factsOf(layers));
    }
  }
  return undefined;
}

/** Whether a key puts a character into what is being typed. */
function isTyped(name: string): boolean {
  return name === "space" || splitGraphemes(name).length === 1;
}

/** Every key that does something now, deepest scope first, in the table's order within one. */
export function bindingsOf(layers: readonly KeyLayer[]): Binding[] {
  const facts = factsOf(layers);
  const taken = new Set<string>();
  const bindings: Binding[] = [];
  let isTyping = false;
  for (const layer of hearingLayers(layers)) {
    // From here on characters are text.
    isTyping ||= layer.text !== undefined;
    for (const entry of entriesOf.get(layer.scope) ?? []) {
      if (layer.handlers[entry.intent] === undefined) continue;
      // A key that a deeper layer takes does not reach this one.
      const free = entry.keys.filter((name) => !taken.has(name) && !(isTyping && isTyped(name)));
      if (free.length === 0) continue;
      for (const name of free) taken.add(name);
      bindings.push(bindingOf({ ...entry, keys: free }, layer, facts));
    }
  }
  return bindings;
}
