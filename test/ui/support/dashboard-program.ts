/**
 * The dashboard with a fake platform as a separate program: on the terminal of the process, with
 * the wishes of the test in `FAKE`, or on the terminals of the parent process.
 */
import type { Terminal } from "#ui/terminal.ts";
import { openFakeDashboard } from "./fake-dashboard.ts";
import { serveTerminals } from "./hosted-terminals.ts";
import type { Wish } from "./open-fake.ts";

const { FAKE: wishes } = process.env;
if (wishes === undefined) await serveTerminals(openFakeDashboard);
else openAlone(JSON.parse(wishes) as Wish);

function openAlone(wish: Wish): void {
  if (wish.crash === "timer") {
    setTimeout(() => {
      throw new Error("secret details of a crash");
    }, 300);
  }
  if (wish.crash === "rejection") {
    setTimeout(() => void Promise.reject(new Error("secret details of a crash")), 300);
  }
  void openFakeDashboard(wish, processTerminal()).then(
    // The real program does the same: what is left running would keep it from its end.
    (code) => {
      process.exitCode = code;
    },
    () => {
      process.stderr.write("svc: the dashboard stopped\n");
      process.exit(1);
    },
  );
}

function processTerminal(): Terminal {
  const failureListeners = new Set<(failure: unknown) => void>();
  const onFailure = (failure: unknown) => {
    for (const listener of failureListeners) listener(failure);
  };
  process.on("uncaughtException", onFailure);
  process.on("unhandledRejection", onFailure);
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    onSignal: (signal, handler) => {
      process.on(signal, handler);
      return () => process.off(signal, handler);
    },
    onFailure: (handler) => {
      failureListeners.add(handler);
      return () => failureListeners.delete(handler);
    },
    onExit: (handler) => {
      process.on("exit", handler);
      return () => process.off("exit", handler);
    },
    lend: () => {},
    stop: () => void process.kill(process.pid, "SIGSTOP"),
    measure: () => process.kill(process.pid, "SIGWINCH"),
    exit: (code) => process.exit(code),
  };
}
