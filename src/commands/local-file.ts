import { catalogError } from "#contract/errors.ts";
import type { CommandContext } from "./context.ts";

export interface LocalFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Bun.BunFile;
}

/** The named file, checked to be one (E305); its bytes are read only when they are sent. */
export async function localFile(context: CommandContext, path: string): Promise<LocalFile> {
  const content = Bun.file(context.resolvePath(path));
  const facts = await content.stat().catch(() => undefined);
  if (facts === undefined) throw catalogError("E305", { details: `${path} does not exist` });
  if (!facts.isFile()) throw catalogError("E305", { details: `${path} is not a file` });
  const filename = path.split(/[/\\]/).at(-1) ?? path;
  return { filename, contentType: content.type || "application/octet-stream", content };
}

/** Draws how much of a file went or came, on a terminal's status line; a percentage at most once. */
export function fileProgress(
  { output }: CommandContext,
  words: string,
): (doneBytes: number, totalBytes: number | undefined) => void {
  let shown = "";
  return (doneBytes, totalBytes) => {
    const text =
      totalBytes === undefined
        ? `${Math.floor(doneBytes / 1024 / 1024)} MiB`
        : `${totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100)} %`;
    if (text === shown) return;
    shown = text;
    void output.progress(`${words} ${text}`);
  };
}
