import { join } from "node:path";

/** The guides of docs/ and the reference of commands as JSON, by name. The build embeds them. */
export async function guides(): Promise<string> {
  const folder = join(import.meta.dirname, "../../../../docs");
  const names = [...new Bun.Glob("*.md").scanSync(folder)].toSorted();
  const texts = names.map(async (name) => {
    return [name.slice(0, -".md".length), await Bun.file(join(folder, name)).text()] as const;
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(texts)));
}
