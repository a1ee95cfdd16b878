import { plainText } from "#lib/terminal-text.ts";
import {
  bindingFor,
  bindingsOf,
  hearingLayers,
  type Binding,
  type KeyLayer,
} from "./key-bindings.ts";
import { scopes, type Scope } from "./key-table.ts";
import { typedTogether, type Stroke } from "./keystrokes.ts";

/** Characters of one paste, and presses that wait at once; what is beyond is lost. */
const maximumCharacters = 1_000_000;

interface Press {
  readonly stroke: Stroke;
  readonly isPasted: boolean;
  readonly onRefused: (words: string) => void;
}

type Waiting = Press | { readonly pasted: string };

/** Knows which layers are shown and hands each key press to the one that means something by it. */
export class KeyHub {
  readonly #layers = new Map<symbol, KeyLayer>();
  readonly #listeners = new Set<() => void>();
  /** Presses in order; those before `#next` have been handled. */
  #waiting: Waiting[] = [];
  #next = 0;
  #running = false;
  #bindings: readonly Binding[] = [];
  /** Asks for a call of `settled`. */
  readonly #onRun: () => void;

  constructor(onRun: () => void) {
    this.#onRun = onRun;
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

  /** What the keys would do if nothing of this scope's depth or deeper were shown. */
  bindingsBelow(scope: Scope): readonly Binding[] {
    const { depth } = scopes[scope];
    return bindingsOf(this.#current().filter((layer) => scopes[layer.scope].depth < depth));
  }

  press(strokes: readonly Stroke[], onRefused: (words: string) => void): void {
    // A paste that the terminal did not bracket: it is text for whoever takes text, and no keys.
    const isPasted = strokes.length > typedTogether;
    for (const stroke of strokes) this.#enqueue({ stroke, isPasted, onRefused });
    this.#start();
  }

  paste(text: string): void {
    this.#enqueue({ pasted: plainText(text.slice(0, maximumCharacters)) });
    this.#start();
  }

  /** To be called once everything that a press changed has been drawn. */
  settled(): void {
    // A turn later: a long burst inside one commit would be a loop to React.
    setImmediate(() => {
      this.#running = false;
      this.#start();
    });
  }

  #current(): KeyLayer[] {
    return Array.from(this.#layers.values());
  }

  #enqueue(one: Waiting): void {
    if (this.#waiting.length - this.#next < maximumCharacters) this.#waiting.push(one);
  }

  // One press at a time, the next one when the state that it made stands in every handler: a key
  // that comes right behind another must not be handled with what was on the screen before it.
  #start(): void {
    if (this.#running) return;
    const one = this.#take();
    if (one === undefined) return;
    this.#running = true;
    if ("pasted" in one) this.#paste(one.pasted);
    else this.#dispatch(one);
    this.#onRun();
  }

  #take(): Waiting | undefined {
    const one = this.#waiting[this.#next];
    if (one === undefined) {
      this.#waiting = [];
      this.#next = 0;
    } else this.#next += 1;
    return one;
  }

  #paste(text: string): void {
    hearingLayers(this.#current())
      .find((layer) => layer.text !== undefined)
      ?.text?.(text);
  }

  /** The layer that takes a press as text, if none above it means something by it. */
  #typedInto(layers: readonly KeyLayer[], stroke: Stroke): KeyLayer | undefined {
    if (stroke.text === undefined) return undefined;
    const typing = layers.findIndex((layer) => layer.text !== undefined);
    // A line end amid others was pasted: it sends nothing where a text may have lines.
    if (stroke.text === "\n" && layers[typing]?.handlers.newline !== undefined) {
      return layers[typing];
    }
    if (typing === -1 || bindingFor(layers.slice(0, typing), stroke.name) !== undefined) {
      return undefined;
    }
    return layers[typing];
  }

  #dispatch({ stroke, isPasted, onRefused }: Press): void {
    const layers = this.#current();
    const hearing = hearingLayers(layers);
    const typed = this.#typedInto(hearing, stroke);
    if (typed !== undefined) {
      typed.text?.(plainText(textOf(stroke) + this.#typedBehind(hearing)));
      return;
    }
    if (isPasted) return;
    const binding = bindingFor(layers, stroke.name);
    if (binding === undefined) return;
    if (binding.reason === undefined) binding.run(stroke.count);
    else onRefused(`${binding.entry.words}: ${binding.reason}`);
  }

  /** What is typed right behind, as one text: a frame for each letter of a paste would take minutes. */
  #typedBehind(hearing: readonly KeyLayer[]): string {
    let text = "";
    for (;;) {
      const one = this.#waiting[this.#next];
      if (one === undefined || "pasted" in one) return text;
      if (this.#typedInto(hearing, one.stroke) === undefined) return text;
      text += textOf(one.stroke);
      this.#next += 1;
    }
  }
}

function textOf({ text = "", count }: Stroke): string {
  return text.repeat(count);
}
