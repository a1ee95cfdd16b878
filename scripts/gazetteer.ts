/**
 * `node scripts/with-bun.mjs scripts/gazetteer.ts`: packs public place data into the gazetteer of
 * the executable, from the packages that scripts/gazetteer/package.json pins. They have 110 MB, so
 * that a checkout has the 4 MB of the result instead.
 */
import { join } from "node:path";
import { finished } from "./build/finished.ts";
import { repository } from "./build/executable.ts";
import { entitiesOf, type Entity } from "./gazetteer/entities.ts";
import { packOutlines } from "./gazetteer/outlines.ts";
import { readSources } from "./gazetteer/sources.ts";
import { nameKey } from "../src/server/domains/geo/gazetteer/name-key.ts";
import { Outlines } from "../src/server/domains/geo/gazetteer/outlines.ts";
import {
  entityKinds,
  integerPlanes,
  rowKinds,
  unitsPerDegree,
  type GazetteerHeader,
  type RowKind,
} from "../src/server/domains/geo/gazetteer/packed.ts";

const folder = join(repository, "scripts/gazetteer");
const target = join(repository, "src/server/domains/geo/gazetteer/gazetteer.zst");
const compressionLevel = 19;

interface Row {
  readonly key: string;
  readonly kind: RowKind;
  readonly entity: Entity;
}

await installPackages();
const packages = join(folder, "node_modules");
const sources = await readSources(folder);
const outlines = await packOutlines(sources.areas, packages);
const { areas, others } = entitiesOf(sources, new Outlines(outlines.arcs, outlines.outlines));
const bytes = packed(areas, others);
const compressed = Bun.zstdCompressSync(bytes, { level: compressionLevel });
await Bun.write(target, compressed);
console.error(
  `svc: packed ${areas.length + others.length} entities, ` +
    `${bytes.length} bytes, compressed ${compressed.length}`,
);

async function installPackages(): Promise<void> {
  const install = Bun.spawn(
    [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"],
    { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  );
  const { stderr, exitCode } = await finished(install);
  if (exitCode !== 0) throw new Error(`the packages of ${folder} were not installed:\n${stderr}`);
}

/** Entities by the key of their name, so that rows and entities have nearly the same order. */
function packed(areas: readonly Entity[], others: readonly Entity[]): Uint8Array {
  const entities = [...areas, ...others]
    .map((entity) => ({ entity, key: nameKey(entity.name) }))
    .toSorted((one, other) => compare(one.key, other.key))
    .map(({ entity }) => entity);
  const positions = new Map(entities.map((entity, index) => [entity, index]));
  const rows = entities.flatMap(rowsOf).toSorted((one, other) => compare(one.key, other.key));
  const countries = [...new Set(entities.map(({ country }) => country))].toSorted();
  const units = (degrees: number): number => Math.round(degrees * unitsPerDegree);
  const at = (row: Row): number => positions.get(row.entity) ?? 0;
  const text = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join("\n"));
  const sections = new Map<string, Uint8Array>([
    ["keys", text(rows.map(({ key }) => key))],
    ["rowKinds", Uint8Array.from(rows, ({ kind }) => rowKinds.indexOf(kind))],
    [
      "rowEntities",
      integerPlanes(
        rows.map((row, index) => at(row) - (index === 0 ? 0 : at(rows[index - 1] ?? row))),
      ),
    ],
    [
      "names",
      text(entities.map(({ name, code }) => (code === undefined ? name : `${name}\t${code}`))),
    ],
    ["kinds", Uint8Array.from(entities, ({ kind }) => entityKinds.indexOf(kind))],
    ["countries", Uint8Array.from(entities, ({ country }) => countries.indexOf(country))],
    ["parents", integerPlanes(entities.map(({ parent }) => parent))],
    ["longitudes", integerPlanes(entities.map(({ longitude }) => units(longitude)))],
    ["latitudes", integerPlanes(entities.map(({ latitude }) => units(latitude)))],
    ["populations", integerPlanes(entities.map(({ population }) => population))],
    ["areas", integerPlanes(areas.map((area) => positions.get(area) ?? 0))],
    ["arcs", outlines.arcs],
    ["outlines", outlines.outlines],
  ]);
  const header: GazetteerHeader = {
    countries,
    entities: entities.length,
    rows: rows.length,
    areas: areas.length,
    sections: [...sections].map(([name, section]) => [name, section.length]),
  };
  return Buffer.concat([text([JSON.stringify(header), ""]), ...sections.values()]);
}

/** Each key of an entity once, under the best kind that it has. */
function rowsOf(entity: Entity): Row[] {
  const kinds = new Map<string, RowKind>();
  for (const [name, kind] of [[entity.name, "name"] as const, ...entity.otherNames]) {
    const key = nameKey(name);
    if (key !== "" && key.length < 60 && !kinds.has(key)) kinds.set(key, kind);
  }
  return [...kinds].map(([key, kind]) => ({ key, kind, entity }));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
