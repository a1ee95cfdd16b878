/** A browser that is driven by its own protocol. */
export interface Browser extends AsyncDisposable {
  /** Opens a page, and resolves once the expression is true (default: its title is `ready`). */
  open(url: string, ready?: string): Promise<OpenPage>;
}

export interface OpenPage extends AsyncDisposable {
  /** The text that the expression, or its promise, results in. */
  evaluate(expression: string): Promise<string>;
  /** Messages of the console and errors of scripts so far. */
  complaints(): readonly string[];
  /** Addresses that were answered with 404. */
  missing(): readonly string[];
}

export const readyLimitMs = 30_000;
export const runLimitMs = 600_000;

/** The expression that an opened page is asked for until it is true. */
export const isReady = `document.title === "ready"`;
