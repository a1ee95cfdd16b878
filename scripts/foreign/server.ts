import { chown, mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { asAccount, serverAccount } from "../server-program.ts";

export interface ForeignServer extends AsyncDisposable {
  readonly pid: number;
  /** Sends the signal, SIGTERM by default, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** The text of its output so far. */
  log(): Promise<string>;
}

export interface ForeignServerOptions {
  readonly command: readonly string[];
  /** Working folder, made here and given to the server's account; `server.log` is in it. */
  readonly directory: string;
  /** The loopback port that accepts connections once the server is ready. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}

const startLimitMs = 20_000;
const stopLimitMs = 10_000;

/** Makes a folder that belongs to the account of servers. */
export async function serverFolder(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const account = await serverAccount();
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  return directory;
}

/** Starts a server as an unprivileged account, and resolves once its port accepts connections. */
export async function startServer(options: ForeignServerOptions): Promise<ForeignServer> {
  const { command, directory, port, env } = options;
  await serverFolder(directory);
  const logFile = join(directory, "server.log");
  const child = Bun.spawn(asAccount(await serverAccount(), command), {
    cwd: directory,
    env: { ...process.env, HOME: directory, ...env },
    stdin: "ignore",
    stdout: Bun.file(logFile),
    stderr: Bun.file(logFile),
  });
  const log = (): Promise<string> => Bun.file(logFile).text();
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await child.exited;
    clearTimeout(late);
  };
  const deadline = performance.now() + startLimitMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop("SIGKILL");
      throw new Error(`${command[0]} did not start:\n${await log()}`);
    }
    await Bun.sleep(50);
  }
  return { pid: child.pid, stop, log, [Symbol.asyncDispose]: () => stop() };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}
