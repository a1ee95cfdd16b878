import { PassThrough, Writable } from "node:stream";
import type { Terminal, TerminalSignal } from "#ui/terminal.ts";
import { runtimeCollector } from "#ui/tidy-memory.ts";
import type { Wish } from "./open-fake.ts";

/** A line of JSON to the program that serves terminals. */
export type ToTerminal = { readonly id: number } & (
  | { readonly kind: "open"; readonly wish: Wish; readonly cols: number; readonly rows: number }
  | { readonly kind: "input"; readonly text: string }
  | { readonly kind: "size"; readonly cols: number; readonly rows: number }
  | { readonly kind: "end" }
);

/** A line of JSON from it. */
export type FromTerminal = { readonly id: number } & (
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "raw"; readonly isRaw: boolean }
  | { readonly kind: "exit"; readonly code: number }
);

interface HostedTerminal {
  readonly terminal: Terminal;
  input(text: string): void;
  resize(cols: number, rows: number): void;
  /** Ends the dashboard as SIGTERM does. */
  end(): void;
}

type Open = (wish: Wish, terminal: Terminal) => Promise<number>;

/**
 * Opens a dashboard for each terminal of the parent, which are lines on stdin and stdout, until
 * stdin ends. One process for many dashboards: most of the time of one is its start.
 */
export async function serveTerminals(open: Open): Promise<void> {
  const terminals = new Map<number, HostedTerminal>();
  // A collection of the memory of all dashboards takes much longer than one of a user's: those
  // after keys took a fifth of this program's processor time.
  runtimeCollector.collect = () => {};
  runtimeCollector.collectRecent = () => {};
  for await (const line of console) {
    // The end of stdin is an empty line.
    if (line === "") continue;
    const message = JSON.parse(line) as ToTerminal;
    const { id, kind } = message;
    const found = terminals.get(id);
    if (kind === "open") {
      const hosted = hostTerminal(message, (sent) =>
        process.stdout.write(`${JSON.stringify(sent)}\n`),
      );
      terminals.set(id, hosted);
      void open(message.wish, hosted.terminal).then(
        (code) => hosted.terminal.exit(code),
        () => hosted.terminal.exit(1),
      );
    } else if (kind === "input") found?.input(message.text);
    else if (kind === "size") found?.resize(message.cols, message.rows);
    else {
      found?.end();
      terminals.delete(id);
    }
  }
  process.exit(0);
}

function hostTerminal(
  { id, cols, rows }: Extract<ToTerminal, { kind: "open" }>,
  send: (message: FromTerminal) => void,
): HostedTerminal {
  const handlers = new Map<TerminalSignal, () => void>();
  let isEnded = false;
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    fd: -1,
    setRawMode: (isRaw: boolean) => {
      send({ id, kind: "raw", isRaw });
      return stdin;
    },
    ref: () => stdin,
    unref: () => stdin,
  });
  const written = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      // The line discipline of a terminal does the same.
      send({ id, kind: "output", text: String(chunk).replaceAll("\n", "\r\n") });
      done();
    },
  });
  const stdout = Object.assign(written, { isTTY: true, fd: -1, columns: cols, rows });
  // Streams of a terminal are sockets, of which the dashboard uses these members only.
  const streams: unknown = { stdin, stdout };
  const terminal: Terminal = {
    ...(streams as Pick<Terminal, "stdin" | "stdout">),
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    onSignal: (signal, handler) => {
      handlers.set(signal, handler);
      // A dashboard that is ended before it listens would draw until the process ends.
      if (isEnded && signal === "SIGTERM") queueMicrotask(handler);
      return () => handlers.delete(signal);
    },
    onFailure: () => () => {},
    onExit: () => () => {},
    lend: () => {},
    stop: () => {},
    measure: () => {},
    exit: (code) => send({ id, kind: "exit", code }),
  };
  return {
    terminal,
    input: (text) => void stdin.write(text),
    resize: (columns, lines) => {
      Object.assign(stdout, { columns, rows: lines });
      stdout.emit("resize");
    },
    end: () => {
      isEnded = true;
      handlers.get("SIGTERM")?.();
    },
  };
}
