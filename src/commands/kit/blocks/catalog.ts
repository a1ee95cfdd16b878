import { join } from "node:path";
import { formatError, inputError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { pointer } from "#lib/json/pointer.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import type { CommandContext } from "../context.ts";
import { requireJson } from "../input/data.ts";
import { apiBlocks, commandBlocks, starterBlocks } from "./derive.ts";
import { blockFile, strictBlockFile, type Block } from "./block.ts";

const maximumBytes = 4 * 1024 * 1024;

/** The file of a project's own blocks, in `src/eai.config`. */
const customFile = "blocks.json";

/** This product's blocks, computed from the interface, the commands and the templates. */
export async function builtInBlocks(context: CommandContext): Promise<Block[]> {
  const [table, { routes }, { StarterTemplates }] = await Promise.all([
    context.table(),
    import("#contract/index.ts"),
    import("#server/domains/starter-templates/service.ts"),
  ]);
  const starters = new StarterTemplates();
  return [
    ...apiBlocks(table, routes),
    ...commandBlocks(table, routes),
    ...starterBlocks(starters.list().map(({ key }) => starters.read(key))),
  ];
}

/** The path of the project's own blocks; undefined without a project or the file. */
export async function customPath(context: CommandContext): Promise<string | undefined> {
  const folder = (await context.settings()).project?.configDirectory;
  if (folder === undefined) return undefined;
  const path = join(folder, customFile);
  return (await Bun.file(path).exists()) ? path : undefined;
}

export interface BlockFault {
  readonly pointer: string;
  readonly detail: string;
}

export interface CheckedFile {
  readonly blocks: readonly Block[];
  readonly faults: readonly BlockFault[];
}

/** The blocks of a file with its faults. Throws E305 or E304 for a file that is not JSON. */
export async function checkBlockFile(path: string, isStrict: boolean): Promise<CheckedFile> {
  const bytes = await readRegularFile(path, maximumBytes).catch((error: unknown) => {
    if (systemErrorCode(error) === "EFBIG") throw inputError(`${path} is larger than 4 MiB`);
    throw inputError(`${path} can't be read`);
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw formatError(`${path} is not UTF-8 text`, "UTF-8");
  }
  const value = requireJson(text, path);
  const parsed = (isStrict ? strictBlockFile : blockFile).safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) =>
      issue.code === "invalid_union" ? (issue.errors[Array.isArray(value) ? 0 : 1] ?? []) : [issue],
    );
    return {
      blocks: [],
      faults: issues.slice(0, 100).map((issue) => ({
        pointer: pointer(...issue.path.map(String)),
        detail: issue.message,
      })),
    };
  }
  const blocks: Block[] = Array.isArray(parsed.data) ? parsed.data : parsed.data.blocks;
  return { blocks, faults: repeatedIds(blocks) };
}

function repeatedIds(blocks: readonly Block[]): BlockFault[] {
  return blocks.flatMap(({ id }, index) =>
    blocks.findIndex((other) => other.id === id) < index
      ? [{ pointer: pointer(index, "id"), detail: `"${id}" is given twice` }]
      : [],
  );
}

/** Blocks with unknown routes or commands: faults of a strict check. */
export async function unknownParts(
  context: CommandContext,
  blocks: readonly Block[],
): Promise<BlockFault[]> {
  const [{ commands }, { routes }] = await Promise.all([
    context.table(),
    import("#contract/index.ts"),
  ]);
  const known = new Set<string>([
    ...commands.map(({ path }) => path),
    ...Object.values(routes).flatMap((domain) =>
      Object.values(domain).map(({ method, path }) => `${method} ${path}`),
    ),
  ]);
  return blocks.flatMap((block, index) =>
    (["routes", "commands"] as const).flatMap((member) =>
      block[member].flatMap((name, position) =>
        known.has(name)
          ? []
          : [{ pointer: pointer(index, member, position), detail: `"${name}" does not exist` }],
      ),
    ),
  );
}

/** The project's own blocks; none without the file. Throws E302 for an invalid file. */
export async function customBlocks(context: CommandContext): Promise<readonly Block[]> {
  const path = await customPath(context);
  if (path === undefined) return [];
  const { blocks, faults } = await checkBlockFile(path, false);
  const [fault] = faults;
  if (fault === undefined) return blocks.map((block) => ({ ...block, kind: "custom" }));
  throw catalogError(
    "E302",
    { details: `${customFile} ${fault.pointer} ${fault.detail}` },
    { hint: "`svc blocks validate` lists every fault" },
  );
}

/** The block with this ID, of the product or of the project. Throws E202. */
export async function findBlock(context: CommandContext, id: string): Promise<Block> {
  const all = [...(await builtInBlocks(context)), ...(await customBlocks(context))];
  const found = all.find((block) => block.id === id);
  if (found !== undefined) return found;
  const { nearest } = await import("#cli/input/nearest.ts");
  const near = nearest(
    id,
    all.map((block) => block.id),
  );
  const hint = near === undefined ? "`svc blocks list` names all" : `Did you mean \`${near}\`?`;
  throw catalogError("E202", { resource: `Building block "${id}"` }, { hint });
}
