import { useInput, usePaste } from "ink";
import {
  createContext,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { plainText } from "#lib/terminal-text.ts";
import {
  bindingFor,
  bindingsOf,
  hearingLayers,
  type Binding,
  type KeyFacts,
  type KeyHandlers,
  type KeyLayer,
  type Scope,
} from "../keys.ts";
import { strokesOf, type Stroke } from "../keystrokes.ts";

const maximumPasteCharacters = 1_000_000;

/** Knows which layers are shown and hands each key press to the one that means something by it. */
class KeyHub {
  readonly #layers = new Map<symbol, KeyLayer>();
  readonly #listeners = new Set<() => void>();
  readonly #queue: (() => void)[] = [];
  #running = false;
  #bindings: readonly Binding[] = [];
  /** Asks the provider for `settled`. */
  readonly onRun: () => void;

  constructor(onRun: () => void) {
    this.onRun = onRun;
  }

  add(id: symbol, layer: KeyLayer): () => void {
    this.#layers.set(id, layer);
    this.changed();
    return () => {
      this.#layers.delete(id);
      this.changed();
    };
  }

  /** What layers offer has changed: footer, help and palette are computed anew. */
  changed(): void {
    this.#bindings = bindingsOf(this.#current());
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  bindings = (): readonly Binding[] => this.#bindings;

  #current(): KeyLayer[] {
    return Array.from(this.#layers.values());
  }

  press(strokes: readonly Stroke[], onRefused: (words: string) => void): void {
    for (const stroke of strokes) this.#enqueue(() => this.#dispatch(stroke, onRefused));
  }

  paste(text: string): void {
    const bounded = text.slice(0, maximumPasteCharacters);
    this.#enqueue(() => {
      const layer = hearingLayers(this.#current()).find((each) => each.text !== undefined);
      layer?.text?.(plainText(bounded), true);
    });
  }

  /** Told by the provider once everything that a press changed has been drawn. */
  settled(): void {
    // A turn later: a long burst inside one commit would be a loop to React.
    setImmediate(() => {
      this.#running = false;
      this.#next();
    });
  }

  // One press at a time, the next one when the state that it made stands in every handler: a key
  // that comes right behind another must not be handled with what was on the screen before it.
  #enqueue(run: () => void): void {
    this.#queue.push(run);
    if (!this.#running) this.#next();
  }

  #next(): void {
    const run = this.#queue.shift();
    if (run === undefined) return;
    this.#running = true;
    run();
    this.onRun();
  }

  #dispatch(stroke: Stroke, onRefused: (words: string) => void): void {
    const layers = this.#current();
    const hearing = hearingLayers(layers);
    const typing = hearing.findIndex((layer) => layer.text !== undefined);
    if (typing !== -1 && stroke.text !== undefined) {
      if (bindingFor(hearing.slice(0, typing), stroke.name) === undefined) {
        hearing[typing]?.text?.(plainText(stroke.text.repeat(stroke.count)), stroke.burst);
        return;
      }
    }
    const binding = bindingFor(layers, stroke.name);
    if (binding === undefined) return;
    if (binding.reason === undefined) binding.run(stroke.count);
    else onRefused(`${binding.entry.words}: ${binding.reason}`);
  }
}

const KeyContext = createContext<KeyHub | undefined>(undefined);

function useHub(): KeyHub {
  const hub = useContext(KeyContext);
  if (hub === undefined) throw new Error("keys need a KeyProvider above them");
  return hub;
}

/** The only place that listens to the keyboard. `onRefused` hears why a key may not be used now. */
export function KeyProvider(props: {
  readonly onRefused?: (words: string) => void;
  readonly children: ReactNode;
}) {
  const [presses, setPresses] = useState(0);
  const [hub] = useState(() => new KeyHub(() => setPresses((now) => now + 1)));
  // Drawn together with whatever the press changed, so it can't come before that.
  useLayoutEffect(() => hub.settled(), [hub, presses]);
  const { onRefused = ignore } = props;
  useInput((input, key) => hub.press(strokesOf(input, key), onRefused));
  usePaste((text) => hub.paste(text));
  return <KeyContext value={hub}>{props.children}</KeyContext>;
}

export interface KeyOptions {
  /** Whether the layer is there at all; true unless given. */
  readonly active?: boolean;
  readonly facts?: KeyFacts;
  readonly text?: ((text: string, pasted: boolean) => void) | undefined;
}

const noFacts: KeyFacts = {};
const ignore = () => {};

/** Takes keys for a scope while the component is shown and active. */
export function useKeys(scope: Scope, handlers: KeyHandlers, options: KeyOptions = {}): void {
  const hub = useHub();
  const { active = true, facts = noFacts, text } = options;
  const latest = useRef<KeyLayer>({ scope, handlers, facts, text });
  const offered = [
    ...Object.entries(handlers).flatMap(([intent, run]) => (run === undefined ? [] : [intent])),
    JSON.stringify(facts),
  ].join(" ");
  useLayoutEffect(() => {
    latest.current = { scope, handlers, facts, text };
  });
  const live = useMemo<KeyLayer>(
    () => ({
      scope,
      get handlers() {
        return latest.current.handlers;
      },
      get facts() {
        return latest.current.facts;
      },
      get text() {
        return latest.current.text;
      },
    }),
    [scope],
  );
  useLayoutEffect(
    () => (active ? hub.add(Symbol(scope), live) : undefined),
    [hub, scope, live, active],
  );
  useLayoutEffect(() => {
    if (active) hub.changed();
  }, [hub, active, offered]);
}

/** What the keys do at the moment of asking; asking draws nothing anew. */
export function useCurrentBindings(): () => readonly Binding[] {
  return useHub().bindings;
}

/** The keys that do something now; a component that asks is drawn again when they change. */
export function useBindings(): readonly Binding[] {
  const hub = useHub();
  return useSyncExternalStore(hub.subscribe, hub.bindings);
}
