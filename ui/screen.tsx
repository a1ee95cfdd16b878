import { writeSync } from "node:fs";
import { render, useApp, type Instance } from "ink";
import { Component, createContext, useEffect, useMemo, type ReactNode } from "react";
import { useProvided } from "./kit/state/use-provided.ts";
import type { Terminal, TerminalSignal, Unsubscribe } from "./terminal.ts";

/**
 * Takes the terminal for the dashboard and gives it back on every way out, exactly once: quit,
 * signal, crash, closed window. Ink alone leaves the cursor hidden after an uncaught throw and raw
 * mode on after a stop.
 */

// Synchronised output off, bracketed paste off, autowrap on, plain colours, normal screen, cursor.
const restoreSequence = "\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h";
// Autowrap off: a cell that a terminal draws wider than we count stays a damage of its own row.
const enterSequence = "\x1b[?7l";
const leaveSequence = "\x1b[?7h";
const framesPerSecond = 30;

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const goneExitCode = 128 + signalNumbers.SIGHUP;

/** What the tree may ask of its screen. */
export interface Screen {
  /** Ends the dashboard; `openScreen` resolves with the code. */
  exit(code: number): void;
  /** Ends the dashboard; `openScreen` rejects with the failure. */
  fail(failure: unknown): void;
  /** Gives the terminal to `run` (an editor), then draws everything anew. */
  suspend(run: () => Promise<void>): Promise<void>;
  /** Stops the process as Ctrl-Z does, and draws everything anew once it is continued. */
  stop(): void;
  /** Sends a sequence that draws nothing, such as a clipboard write. */
  send(sequence: string): void;
}

const ScreenContext = createContext<Screen | undefined>(undefined);

/** The screen the component is drawn on; only valid below `openScreen`. */
export function useScreen(): Screen {
  return useProvided(ScreenContext, "screen");
}

interface BoundaryProps {
  readonly onFailure: (failure: unknown) => void;
  readonly children: ReactNode;
}

/** Ink's own boundary would draw a stack; this one draws nothing and hands the failure on. */
class CrashBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override readonly state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(failure: unknown) {
    this.props.onFailure(failure);
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

interface Outcome {
  readonly code?: number;
  readonly failure?: { readonly reason: unknown };
}

type Suspender = (run: () => Promise<void>) => Promise<void>;

/** After being continued, the signal that says so is heard before the terminal is taken again. */
const continuedMs = 20;

function Frame(props: {
  readonly base: Omit<Screen, "suspend" | "stop">;
  readonly terminal: Terminal;
  /** Somebody else gets the terminal, or has given it back: an editor, the shell while we stand still. */
  readonly onLent: (isLent: boolean) => void;
  readonly onSuspender: (suspender: Pick<Screen, "suspend" | "stop">) => void;
  readonly children: ReactNode;
}) {
  const { base, terminal, onLent, onSuspender } = props;
  const { suspendTerminal } = useApp();
  const screen = useMemo<Screen>(() => {
    const suspend: Suspender = async (run) => {
      onLent(true);
      try {
        await suspendTerminal(async () => {
          terminal.stdout.write(leaveSequence);
          try {
            await releaseStdin(terminal);
            await run();
          } finally {
            terminal.stdout.write(enterSequence);
          }
        });
      } finally {
        onLent(false);
      }
    };
    const stop = () =>
      void suspend(async () => {
        terminal.stop();
        await Bun.sleep(continuedMs);
      }).catch(base.fail);
    return { ...base, suspend, stop };
  }, [base, terminal, onLent, suspendTerminal]);
  // In braces: what an effect returns is called at its end.
  useEffect(() => {
    onSuspender(screen);
  }, [onSuspender, screen]);
  return <ScreenContext value={screen}>{props.children}</ScreenContext>;
}

/**
 * A child that inherits stdin loses keys to the parent's pending read unless the stream is resumed
 * and paused once around an idle moment (oven-sh/bun#29126).
 */
async function releaseStdin(terminal: Terminal): Promise<void> {
  const idleMs = 20;
  await Bun.sleep(idleMs);
  terminal.stdin.resume();
  await Bun.sleep(idleMs);
  terminal.stdin.pause();
  await Bun.sleep(idleMs);
}

/**
 * Draws a tree on the whole terminal until it ends.
 * Resolves with the exit code (128 + number after a signal); rejects with what the tree threw.
 * The terminal has been given back by then. A second signal ends the process at once.
 */
export async function openScreen(terminal: Terminal, tree: ReactNode): Promise<number> {
  const { stdout, stdin } = terminal;
  const unsubscribes: Unsubscribe[] = [];
  const drawn: { instance?: Instance } = {};
  let isLent = false;
  let suspender: Pick<Screen, "suspend" | "stop"> | undefined;
  let restored = false;
  const restore = () => {
    // Once only: leaving the alternate screen twice moves the cursor back over later output.
    if (restored) return;
    restored = true;
    try {
      stdin.setRawMode(false);
    } catch {
      // The window may be gone; what follows must be tried all the same.
    }
    try {
      writeSync(stdout.fd, restoreSequence);
    } catch {
      // As above.
    }
  };

  const end = Promise.withResolvers<Outcome>();
  let ended = false;
  const finish = (outcome: Outcome) => {
    if (ended) return;
    ended = true;
    try {
      drawn.instance?.unmount();
    } catch {
      // A tree that can't be unmounted must not keep the terminal.
    }
    restore();
    end.resolve(outcome);
  };
  const fail = (reason: unknown) => finish({ failure: { reason } });
  const base = {
    exit: (code: number) => finish({ code }),
    fail,
    send: (sequence: string) => void stdout.write(sequence),
  };
  const gone = () => finish({ code: goneExitCode });

  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    const code = 128 + signalNumbers[signal];
    unsubscribes.push(
      terminal.onSignal(signal, () => (ended ? terminal.exit(code) : finish({ code }))),
    );
  }
  const stopSignal: TerminalSignal = "SIGTSTP";
  const goOnSignal: TerminalSignal = "SIGCONT";
  unsubscribes.push(
    terminal.onSignal(stopSignal, () => {
      // An editor that is told to stop stops everybody with it; the terminal is not ours to give.
      if (suspender === undefined || isLent) terminal.stop();
      else suspender.stop();
    }),
    // Stopped by somebody who could not give the terminal back: the shell has made it its own since.
    terminal.onSignal(goOnSignal, () => {
      terminal.measure();
      if (suspender !== undefined && !isLent) suspender.suspend(async () => {}).catch(fail);
    }),
    terminal.onFailure(fail),
    terminal.onExit(restore),
  );
  stdout.on("error", gone);
  stdin.on("error", gone);
  stdin.on("end", gone);

  stdout.write(enterSequence);
  const instance = render(
    <CrashBoundary onFailure={fail}>
      <Frame
        base={base}
        terminal={terminal}
        onLent={(now) => (isLent = now)}
        onSuspender={(given) => (suspender = given)}
      >
        {tree}
      </Frame>
    </CrashBoundary>,
    {
      stdout,
      stdin,
      stderr: terminal.stderr,
      alternateScreen: true,
      incrementalRendering: true,
      // CI=1 on a real terminal would draw nothing until the end.
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: framesPerSecond,
    },
  );
  drawn.instance = instance;
  // Before Ink's own listener: rows that the terminal reflowed must be gone when it compares frames.
  const onResize = () => {
    // Whoever has the terminal draws by itself, and all is drawn anew when it is given back.
    if (isLent) return;
    instance.clear();
    stdout.write("\x1b[H\x1b[J");
  };
  stdout.prependListener("resize", onResize);
  instance.waitUntilExit().then(() => finish({ code: 0 }), fail);
  if (ended) instance.unmount();

  const outcome = await end.promise;
  stdout.off("resize", onResize);
  stdin.off("end", gone);
  for (const unsubscribe of unsubscribes) unsubscribe();
  stdin.pause();
  if (outcome.failure !== undefined) throw outcome.failure.reason;
  return outcome.code ?? 0;
}
