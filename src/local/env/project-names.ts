import { basename, join } from "node:path";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { utf8Text } from "#lib/text/utf8.ts";

const maximumBytes = 1024 * 1024;

/** The names of a project that its files carry to each clone; empty without any. */
export async function projectNames(root: string): Promise<string[]> {
  const [manifest, repository] = await Promise.all([
    textOf(join(root, "package.json")),
    textOf(join(root, ".git/config")),
  ]);
  const name = filledText(membersOf(parsedJson(manifest))?.get("name"));
  const origin = /^\[remote "origin"\][^[]*?^[ \t]*url[ \t]*=[ \t]*(\S+)/m.exec(repository)?.[1];
  const repositoryName = basename((origin ?? "").replace(/\/+$/, "").replace(/\.git$/, ""));
  return [name ?? "", repositoryName].filter((each) => each !== "");
}

/** The text of a file; empty where there is none that can be used. */
async function textOf(path: string): Promise<string> {
  const bytes = await readRegularFile(path, maximumBytes).catch(() => undefined);
  return bytes === undefined ? "" : (utf8Text(bytes) ?? "");
}
