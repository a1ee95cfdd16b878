/**
 * `npm run screens [-- --all] [--session NAME]… [--size COLSxROWS]… [--palette NAME]…
 * [--folder FOLDER] [--text]`: plays scripted sessions of the dashboard in a real pseudo-terminal
 * and draws each screen as a PNG. Without options it writes those that `docs/screens` has. `--all`
 * and each other option write to `dist/screens`: every session at six sizes in three palettes, or
 * those that are named; `--text` adds the texts. Screens that lack what their step expects are
 * listed, and end it with 1.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { refreshExecutable, repository } from "./build/executable.ts";
import { galleryOf, kept, type Kept } from "./screens/gallery.ts";
import { palettes } from "./screens/palettes.ts";
import { Pictures } from "./screens/pictures.ts";
import { playSession, type ScreenSize } from "./screens/session.ts";
import { sessions } from "./screens/sessions.ts";

const allSizes = ["40x12", "60x20", "80x24", "120x40", "200x60", "240x80"];

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    session: { type: "string", multiple: true, default: sessions.map(({ name }) => name) },
    size: { type: "string", multiple: true, default: allSizes },
    palette: { type: "string", multiple: true, default: palettes.map(({ name }) => name) },
    folder: { type: "string", default: join(repository, "dist", "screens") },
    text: { type: "boolean", default: false },
  },
});
const isForDocs = process.argv.length === 2;
const documented = join(repository, "docs", "screens");
const folder = isForDocs ? documented : values.folder;
const wanted: readonly Kept[] = isForDocs
  ? kept
  : values.size.flatMap((size) =>
      values.palette.flatMap((palette) =>
        values.session.map((session) => ({ session, size, palette })),
      ),
    );

await refreshExecutable();
if (isForDocs) await rm(documented, { recursive: true, force: true });
await using pictures = await Pictures.open();
const missing: string[] = [];
for (const one of wanted) missing.push(...(await draw(one)));
if (isForDocs) await Bun.write(join(documented, "README.md"), galleryOf(kept));
for (const path of missing) console.error(`svc: ${path} lacks what its step expects`);
process.exitCode = missing.length === 0 ? 0 : 1;

/** Draws the wanted steps of a session; returns the pictures that lack what they should show. */
async function draw(one: Kept): Promise<string[]> {
  const session = sessions.find(({ name }) => name === one.session);
  const palette = palettes.find(({ name }) => name === one.palette);
  if (session === undefined || palette === undefined) {
    throw new Error(`no session "${one.session}" or no palette "${one.palette}"`);
  }
  const place = join(folder, `${one.size}-${palette.name}`);
  await mkdir(place, { recursive: true });
  const { scanned } = session;
  const scan = scanned === undefined ? undefined : await pictures.scan(scanned);
  const lacking: string[] = [];
  const left = new Set(one.steps ?? session.steps.map(({ name }) => name));
  for await (const screen of playSession(session, sizeOf(one.size), palette, scan)) {
    if (!left.delete(screen.step)) continue;
    const path = join(place, `${session.name}-${screen.step}.png`);
    await Bun.write(path, await pictures.draw(screen, palette));
    if (values.text) await Bun.write(path.replace(/png$/, "txt"), screen.text);
    if (!screen.isExpected) lacking.push(path);
    if (left.size === 0) break;
  }
  console.error(`svc: drew ${session.name} at ${one.size} in ${palette.name}`);
  return lacking;
}

function sizeOf(text: string): ScreenSize {
  const [cols = 80, rows = 24] = text.split("x").map(Number);
  return { cols, rows };
}
