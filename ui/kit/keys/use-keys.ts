import { useInput, usePaste } from "ink";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { KeyHub } from "./key-hub.ts";
import type { KeyFacts } from "./reasons.ts";
import { keyOffer, type Key, type KeyGroup, type Scope } from "./keys.ts";
import type { Binding, KeyHandlers, KeyLayer } from "./key-bindings.ts";
import { strokesOf } from "./keystrokes.ts";
import { Part, usePart } from "../state/part.ts";
import { useStore } from "../state/store.ts";

export const hubPart = new Part<KeyHub>("keys");

/**
 * Listens to the keyboard, the only place that does. `onRefused` gets the reason of a disabled key
 * and of a refused text.
 */
export function KeyInput(props: { readonly onRefused: (words: string) => void }) {
  const { onRefused } = props;
  const hub = usePart(hubPart);
  const handled = useStore(hub.handled);
  // Rendered together with everything that the press changed.
  useLayoutEffect(() => hub.settled(), [hub, handled]);
  useInput((input, key) => hub.press(strokesOf(input, key), onRefused));
  usePaste((text) => hub.paste(text, onRefused));
  return null;
}

export interface KeyOptions<Facts extends KeyFacts = KeyFacts> {
  /** The keys work while this is true, which is the default. */
  readonly active?: boolean;
  readonly facts?: Facts;
  readonly text?: KeyLayer["text"];
  readonly textProblem?: KeyLayer["textProblem"];
}

const noFacts: KeyFacts = {};

type NoKeys = Readonly<Record<never, never>>;

/**
 * Handles keys of a scope while the component is mounted and active: the kit's keys, and those of
 * the given group.
 */
export function useKeys<Keys extends KeyGroup = NoKeys, Facts extends KeyFacts = KeyFacts>(
  scope: Scope,
  handlers: KeyHandlers<Keys>,
  options: KeyOptions<Facts> = {},
): void {
  const hub = usePart(hubPart);
  const { active = true, facts = noFacts, text, textProblem } = options;
  const offered = [
    ...Object.entries(handlers).flatMap(([intent, run]) => (run === undefined ? [] : [intent])),
    JSON.stringify(facts),
  ].join(" ");
  // One layer object per scope, changed after each render: the hub reads the latest handlers.
  const layer = useMemo<KeyLayer>(() => ({ scope, handlers: {}, facts: noFacts }), [scope]);
  useLayoutEffect(() => {
    Object.assign(layer, { handlers, facts, text, textProblem });
  });
  useLayoutEffect(
    () => (active ? hub.add(Symbol(scope), layer) : undefined),
    [hub, scope, layer, active],
  );
  useLayoutEffect(() => {
    if (active) hub.changed();
  }, [hub, active, offered]);
}

/** Returns the current bindings without subscribing the component to them. */
export function useCurrentBindings(): () => readonly Binding[] {
  return usePart(hubPart).bindings.get;
}

/** The current bindings; the component renders again when they change. */
export function useBindings(): readonly Binding[] {
  return useStore(usePart(hubPart).bindings);
}

/** The bindings below an overlay of this scope: `atOpening`, until another place opens below it. */
export function useBindingsBelow(
  scope: Scope,
  atOpening: readonly Binding[],
  place: object,
): readonly Binding[] {
  const hub = usePart(hubPart);
  const placeAtOpening = useRef(place);
  const [bindings, setBindings] = useState(atOpening);
  // The place is mounted before its overlays, so its keys are known when this runs.
  useLayoutEffect(() => {
    if (place !== placeAtOpening.current) setBindings(hub.bindingsBelow(scope));
  }, [hub, scope, place]);
  return bindings;
}

/** Returns a function that writes hints such as "u uploads a file.", or why the key is disabled. */
export function useKeyOffer(): (named: Key, does: string) => string {
  const role = useStore(usePart(hubPart).role);
  return (named, does) => keyOffer(named, does, role);
}

const noted = (shown: unknown) => ({ shown, atMs: Date.now() });

/**
 * The time that ages are counted to: that of the last change of `shown`, or of the last key that
 * was more than a step of the cursor. An idle screen does not age, so it writes nothing.
 */
export function useAgeTime(shown: unknown): number {
  const actedAtMs = useStore(usePart(hubPart).actedAtMs);
  const { atMs } = useMemo(() => noted(shown), [shown]);
  return Math.max(actedAtMs, atMs);
}
