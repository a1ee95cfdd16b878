import { createServer } from "node:net";
import { userInfo } from "node:os";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account for servers that refuse to run as root, such as PostgreSQL and PgBouncer: postgres or
 * another unprivileged one. Undefined where this process is not root.
 */
export async function serverAccount(): Promise<Account | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const lines = (await Bun.file("/etc/passwd").text()).split("\n").map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const line = lines.find(([login]) => login === name);
    if (line !== undefined) return { uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new Error(
    "a server that can't run as root needs an unprivileged account, such as postgres",
  );
}

/** The command as the account. It dies with this process even when that is killed. */
export function asAccount(account: Account | undefined, command: readonly string[]): string[] {
  const setpriv = Bun.which("setpriv");
  if (setpriv === null) {
    if (account === undefined) return [...command];
    throw new Error("running a server as another account needs setpriv (util-linux)");
  }
  const identity =
    account === undefined
      ? []
      : [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  return [setpriv, ...identity, "--pdeathsig", "QUIT", "--", ...command];
}

/** A loopback port that no server uses now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no free port"));
        else resolve(address.port);
      });
    });
  });
}
