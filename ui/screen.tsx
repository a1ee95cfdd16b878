import { writeSync } from "node:fs";
import { render, useApp, type Instance } from "ink";
import { Component, useLayoutEffect, type ReactNode } from "react";
import { framesOfKeys, InputTap } from "./input-tap.ts";
import { mouseReports, type MouseReport } from "./kit/mouse/mouse-reports.ts";
import { charsetOf } from "./kit/theme/charset.ts";
import { plainOutput, plainStream } from "./plain-output.ts";
import { colourReports, knowsCommands, TerminalGround } from "./terminal-answers.ts";
import { MemoryTidying } from "./tidy-memory.ts";
import { Part, usePart } from "./kit/state/part.ts";
import { Store, type Followed } from "./kit/state/store.ts";
import {
  knownSignals,
  signalExitCode,
  type BackgroundQuestion,
  type EndSignal,
  type Terminal,
} from "./terminal.ts";

/**
 * Takes the terminal for the dashboard and restores it exactly once, however the dashboard ends.
 * Ink alone leaves the cursor hidden after an uncaught exception and raw mode on after a stop.
 */

// Ends synchronised output, bracketed paste, reports, colours and the alternate screen; shows the
// cursor and the former title.
const restoreSequence = `\x1b[?2026l\x1b[?2004l\x1b[?1004l${colourReports.off}\x1b[23;2t\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h`;
// Autowrap off: a cell that the terminal draws wider than we count damages only its own row.
// Focus reports on: refreshes are rarer while the user looks elsewhere.
// Ink draws from the cursor's column: a key that was echoed before would move the first row.
// The title of the shell is put on the terminal's stack, where it has one.
const enterSequence = `\r\x1b[?7l\x1b[?1004h${colourReports.on}\x1b[22;2t`;
const leaveSequence = `\x1b[?1004l${colourReports.off}\x1b[23;2t\x1b[?7h`;
const framesPerSecond = 30;

/** The keys Ctrl-C and Ctrl-\\ send these to every program of the terminal, an editor included. */
const keyboardSignals: ReadonlySet<EndSignal> = new Set(["SIGINT", "SIGQUIT"]);

export interface Screen {
  /** Ends the dashboard; `openScreen` resolves with the code. */
  exit(code: number): void;
  /** Ends the dashboard; `openScreen` rejects with the failure. */
  fail(failure: unknown): void;
  /** Gives the terminal to `run` (an editor), then redraws everything. */
  suspend(run: () => Promise<void>): Promise<void>;
  /** Stops the process as Ctrl-Z does, and redraws everything once it is continued. */
  stop(): void;
  /** Sends a sequence that draws nothing, such as a clipboard write. */
  send(sequence: string): void;
  /** Sets the title of the terminal's window, which has no control characters. */
  setTitle(title: string): void;
  /** The background of the terminal as `#rrggbb`; undefined while it has not reported it. */
  readonly ground: Followed<string | undefined>;
  /** Takes clicks and the wheel from the terminal, or gives them back without a listener. */
  watchMouse(listener: ((report: MouseReport) => void) | undefined): void;
  /** How often all was drawn; undefined while another program has the terminal. */
  readonly redraws: Followed<number | undefined>;
  /** Passes on everything that the terminal sends; the returned function ends that. */
  watchInput(listener: (input: string) => void): () => void;
}

type Suspend = Screen["suspend"];

/** The screen that the dashboard is drawn on. */
export const screenPart = new Part<Screen>("screen");

export function useScreen(): Screen {
  return usePart(screenPart);
}

interface BoundaryProps {
  readonly onFailure: (failure: unknown) => void;
  readonly children: ReactNode;
}

/** Draws nothing after a failure and reports it; Ink's own boundary would draw a stack. */
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

/** Time in which the SIGCONT of a continued process arrives, before the terminal is taken again. */
const continuedMs = 20;

function Frame(props: {
  readonly terminal: Terminal;
  /** Reports whether another program (an editor, the shell) has the terminal. */
  readonly onLent: (isLent: boolean) => void;
  readonly onSuspend: (suspend: Suspend) => void;
  readonly children: ReactNode;
}) {
  const { terminal, onLent, onSuspend } = props;
  const { suspendTerminal } = useApp();
  useLayoutEffect(() => {
    onSuspend(async (run) => {
      onLent(true);
      try {
        await suspendTerminal(async () => {
          if (terminal.isSpoken !== true) terminal.stdout.write(leaveSequence);
          try {
            await releaseStdin(terminal);
            await run();
          } finally {
            enter(terminal);
          }
        });
      } finally {
        onLent(false);
      }
    });
  }, [terminal, onLent, onSuspend, suspendTerminal]);
  return props.children;
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

function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // The window may be gone, and a tree may not unmount: the remaining steps must still run.
  }
}

/** Raw mode first: the terminal answers with a focus report at once, which it would echo. */
function enter({ stdin, stdout, isSpoken = false }: Terminal): void {
  if (isSpoken) return;
  attempt(() => void stdin.setRawMode(true));
  stdout.write(enterSequence);
}

interface Outcome {
  readonly code?: number;
  readonly failure?: { readonly reason: unknown };
}

/** One use of the terminal, from the first frame until the terminal is restored. */
class ScreenSession {
  readonly #terminal: Terminal;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #tap: InputTap;
  readonly #answers: BackgroundQuestion;
  readonly #redraws = new Store<number | undefined>(0);
  readonly #cleanups: (() => void)[] = [];
  #drawnCount = 0;
  #instance: Instance | undefined;
  #suspend: Suspend | undefined;
  #title = "";
  #hasMouse = false;
  #isLent = false;
  #isEnded = false;
  #isRestored = false;

  constructor(terminal: Terminal, asked: BackgroundQuestion = new TerminalGround(terminal)) {
    this.#terminal = terminal;
    this.#tap = new InputTap(terminal.stdin);
    this.#answers = asked;
  }

  /** Draws the tree and resolves when the dashboard has ended. */
  async run(treeOn: (screen: Screen) => ReactNode): Promise<Outcome> {
    this.#listen();
    const memory = new MemoryTidying();
    enter(this.#terminal);
    if (this.#terminal.isSpoken !== true) {
      this.#answers.ask();
      await this.#answers.answer();
    }
    this.#cleanups.push(
      this.#tap.open(),
      this.#tap.listen(memory.onInput),
      this.#tap.listen(this.#answers.onInput, "\x1b"),
      () => memory.end(),
    );
    if (!this.#isEnded) this.#draw(treeOn(this.#screen()));
    const outcome = await this.#outcome.promise;
    for (const cleanup of this.#cleanups) cleanup();
    this.#terminal.stdin.pause();
    return outcome;
  }

  #listen(): void {
    const terminal = this.#terminal;
    const { stdin, stdout } = terminal;
    const gone = () =>
      this.#finish({ code: terminal.isSpoken === true ? 0 : signalExitCode("SIGHUP") });
    for (const [signal, code] of knownSignals()) {
      this.#cleanups.push(
        terminal.onSignal(signal, () => {
          if (this.#isEnded) return terminal.exit(code);
          if (this.#isLent && keyboardSignals.has(signal)) return;
          this.#finish({ code });
        }),
      );
    }
    this.#cleanups.push(
      terminal.onSignal("SIGTSTP", () => {
        // A stopped editor stops its whole process group; the terminal is not ours to restore then.
        if (this.#suspend === undefined || this.#isLent) terminal.stop();
        else this.#stop();
      }),
      // After a SIGSTOP the shell has changed the terminal's modes: take the terminal again.
      terminal.onSignal("SIGCONT", () => {
        terminal.measure();
        if (!this.#isLent) this.#suspend?.(async () => {}).catch(this.#fail);
      }),
      terminal.onFailure(this.#fail),
      terminal.onExit(() => this.#restore()),
      () => stdin.off("end", gone),
    );
    stdout.on("error", gone);
    stdin.on("error", gone);
    stdin.on("end", gone);
  }

  #screen(): Screen {
    return {
      exit: (code) => this.#finish({ code }),
      fail: this.#fail,
      suspend: async (run) => this.#suspend?.(run),
      stop: () => this.#stop(),
      send: this.#send,
      setTitle: (title) => {
        this.#title = plainOutput(title, charsetOf(this.#terminal));
        this.#showTitle();
      },
      ground: this.#answers.ground,
      redraws: this.#redraws,
      watchMouse: (listener) => this.#watchMouse(listener),
      watchInput: (listener) => this.#tap.listen(listener),
    };
  }

  readonly #send = (sequence: string): void => {
    if (knowsCommands(this.#terminal)) this.#terminal.stdout.write(sequence);
  };

  #showTitle(): void {
    if (this.#title !== "" && this.#terminal.isSpoken !== true)
      this.#send(`\x1b]2;${this.#title}\x1b\\`);
  }

  #watchMouse(listener: ((report: MouseReport) => void) | undefined): void {
    const isOn = listener !== undefined && this.#terminal.isSpoken !== true;
    this.#tap.watchMouse(isOn ? listener : undefined);
    if (isOn === this.#hasMouse || this.#isEnded) return;
    this.#hasMouse = isOn;
    this.#terminal.stdout.write(isOn ? mouseReports.on : mouseReports.off);
  }

  #stop(): void {
    const stopped = async () => {
      this.#terminal.stop();
      await Bun.sleep(continuedMs);
    };
    this.#suspend?.(stopped).catch(this.#fail);
  }

  #draw(tree: ReactNode): void {
    const { stdin, stderr, isSpoken = false } = this.#terminal;
    const stdout = plainStream(this.#terminal.stdout, charsetOf(this.#terminal));
    const instance = render(
      <CrashBoundary onFailure={this.#fail}>
        <Frame
          terminal={this.#terminal}
          onLent={this.#lend}
          onSuspend={(suspend) => (this.#suspend = suspend)}
        >
          {tree}
        </Frame>
      </CrashBoundary>,
      {
        stdout,
        stdin,
        stderr,
        alternateScreen: !isSpoken,
        incrementalRendering: !isSpoken,
        // Each write is then a whole frame without sequences that move the cursor.
        debug: isSpoken,
        // CI=1 on a real terminal would draw nothing until the end.
        interactive: true,
        exitOnCtrlC: false,
        patchConsole: false,
        maxFps: framesPerSecond,
      },
    );
    this.#instance = instance;
    const drawKey = framesOfKeys(instance.waitUntilRenderFlush, 1_000 / framesPerSecond);
    this.#cleanups.push(this.#tap.listen(drawKey));
    const onResize = () => {
      if (this.#isLent || isSpoken) return;
      instance.clear();
      stdout.write("\x1b[H\x1b[J");
      this.#countRedraw();
    };
    // It runs before Ink's own listener: rows that the terminal reflowed must be gone when Ink
    // compares frames.
    stdout.prependListener("resize", onResize);
    this.#cleanups.push(() => stdout.off("resize", onResize));
    instance.waitUntilExit().then(() => this.#finish({ code: 0 }), this.#fail);
    if (this.#isEnded) instance.unmount();
  }

  readonly #lend = (isLent: boolean): void => {
    this.#isLent = isLent;
    this.#terminal.lend(isLent);
    if (this.#hasMouse) this.#terminal.stdout.write(isLent ? mouseReports.off : mouseReports.on);
    if (!isLent) this.#showTitle();
    if (isLent) this.#redraws.set(undefined);
    else this.#countRedraw();
  };

  #countRedraw(): void {
    this.#drawnCount += 1;
    this.#redraws.set(this.#drawnCount);
  }

  readonly #fail = (reason: unknown): void => this.#finish({ failure: { reason } });

  #finish(outcome: Outcome): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    attempt(() => this.#instance?.unmount());
    this.#restore();
    this.#outcome.resolve(outcome);
  }

  /** Runs once: leaving the alternate screen twice moves the cursor back over later output. */
  #restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    if (this.#terminal.isSpoken === true) return;
    const ending = (this.#hasMouse ? mouseReports.off : "") + restoreSequence;
    attempt(() => this.#terminal.stdin.setRawMode(false));
    attempt(() => void writeSync(this.#terminal.stdout.fd, ending));
  }
}

/**
 * Draws a tree on the whole terminal until it ends, then restores the terminal. `asked` is the
 * question for the background, if it has been sent already.
 * Resolves with the exit code (128 + number after a signal); rejects with what the tree threw.
 * A second signal ends the process at once.
 */
export async function openScreen(
  terminal: Terminal,
  treeOn: (screen: Screen) => ReactNode,
  asked?: BackgroundQuestion,
): Promise<number> {
  const outcome = await new ScreenSession(terminal, asked).run(treeOn);
  if (outcome.failure !== undefined) throw outcome.failure.reason;
  return outcome.code ?? 0;
}
