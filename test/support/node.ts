import { delimiter } from "node:path";

/**
 * Node itself, as an absolute path: `bun run` puts a folder first on PATH in which `node` is
 * Bun. The scripts need it, so a checkout whose tests run has it.
 */
export function findNode(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const node = Bun.which("node", {
    PATH: folders.filter((folder) => !folder.includes("bun-node")).join(delimiter),
  });
  if (node === null) throw new Error("Node is not on PATH");
  return node;
}
