/** Why no small file system can be mounted here; `undefined` when one can. */
export const missingTmpfs: string | undefined = await probe();

async function probe(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  // Containers may run as root and still be kept from mounting.
  const child = Bun.spawn(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  return (await child.exited) === 0 ? undefined : "needs the right to mount a file system";
}

/** Mounts a file system of `sizeBytes` on an existing folder until it is disposed of. */
export async function mountTmpfs(directory: string, sizeBytes: number): Promise<AsyncDisposable> {
  await run("mount", "-t", "tmpfs", "-o", `size=${sizeBytes}`, "none", directory);
  return { [Symbol.asyncDispose]: () => run("umount", "--lazy", directory) };
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}
