import { join } from "node:path";

const source = join(import.meta.dirname, "..", "..", "src", "commands");

/** The list that the registry loads commands by; the build and `npm run reference` write it. */
const listPath = join(source, "command-files.ts");

/** The text of that list: each file below src/commands with a default export is a command. */
export async function commandFilesText(): Promise<string> {
  const files = (await Array.fromAsync(new Bun.Glob("**/*.ts").scan({ cwd: source }))).toSorted();
  const lines: string[] = [];
  for (const file of files) {
    const text = await Bun.file(join(source, file)).text();
    if (!/^export default /m.test(text)) continue;
    const words = file.replace(/\.ts$/, "").replaceAll("/", " ");
    const name = /^\w+$/.test(words) ? words : JSON.stringify(words);
    const line = `  ${name}: () => import("./${file}"),`;
    const isLong = line.length > 100;
    lines.push(isLong ? `  ${name}: () =>\n    import("./${file}"),` : line);
  }
  return [
    `import type { Command } from "./kit/command.ts";`,
    "",
    "/** Every command's file, by the command's path. Generated: `npm run reference` writes it. */",
    "export const commandFiles: Readonly<Record<string, () => Promise<{ default: Command }>>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

/** Writes the list when a command was added, moved or removed. */
export async function refreshCommandFiles(): Promise<void> {
  const text = await commandFilesText();
  const file = Bun.file(listPath);
  if ((await file.exists()) && (await file.text()) === text) return;
  await Bun.write(listPath, text);
}
