import type { CommandTable } from "#cli/command.ts";
import type { Routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { StarterTemplate } from "#contract/workspaces/starter-templates.ts";
import type { Block } from "./block.ts";
import type { Coupling, Lane, PackageProfile, Readiness } from "./values.ts";

/** One route with the name that commands and people use, e.g. `GET /v4/identity/me`. */
interface NamedRoute {
  readonly name: string;
  readonly route: RouteDefinition;
}

type Definitions = Readonly<Record<string, Readonly<Record<string, RouteDefinition>>>>;

function namedRoutes(domain: Readonly<Record<string, RouteDefinition>>): NamedRoute[] {
  return Object.values(domain).map((route) => ({ name: `${route.method} ${route.path}`, route }));
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function title(id: string): string {
  const text = id.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Bytes and events need the library or a command; JSON needs only HTTP. */
function needsAdapter({ body, reply }: RouteDefinition): boolean {
  return (body !== undefined && body.type !== "json") || ["bytes", "events"].includes(reply.type);
}

interface Facts {
  readonly routes: readonly NamedRoute[];
  /** Commands that refuse every call. */
  readonly refused?: readonly string[];
  /** Needs the machine of the platform, e.g. its data directory. */
  readonly isOnServer?: boolean;
}

interface Derived {
  readonly coupling: Coupling;
  readonly readiness: Readiness;
  readonly packageProfile: PackageProfile;
  readonly reasons: string[];
}

const profileOf: Readonly<Record<Coupling, PackageProfile>> = {
  "external-safe": "external",
  "external-with-adapter": "hybrid",
  "internal-only": "internal",
};

/** The derived members, with the reasons as text. */
function derived({ routes, refused = [], isOnServer = false }: Facts): Derived {
  const reasons: string[] = [];
  const adapted = routes.filter(({ route }) => needsAdapter(route));
  const isSystem =
    routes.length > 0 && routes.every(({ route }) => route.access === "system-admin");
  let coupling: Coupling = "external-safe";
  if (isOnServer || isSystem) {
    coupling = "internal-only";
    reasons.push(
      isOnServer ? "Runs on the platform's machine" : "Every route needs a system administrator",
    );
  } else if (adapted.length > 0) {
    coupling = "external-with-adapter";
    reasons.push(`Streams bytes or events: ${adapted.map(({ name }) => name).join(", ")}`);
  } else {
    reasons.push(routes.length > 0 ? "JSON over HTTP only" : "Calls no route of the platform");
  }
  const added = routes.filter(({ route }) => !route.source.startsWith("spec"));
  let readiness: Readiness = "public-ready";
  if (coupling === "internal-only") {
    readiness = "internal";
  } else if (added.length > 0 || refused.length > 0) {
    readiness = "preview";
  }
  if (added.length > 0) {
    reasons.push(`Not in the specification: ${added.map(({ name }) => name).join(", ")}`);
  }
  if (refused.length > 0) reasons.push(`Refuses every call: ${refused.join(", ")}`);
  return { coupling, readiness, packageProfile: profileOf[coupling], reasons };
}

/** One block for each domain of the interface. */
export function apiBlocks({ commands }: CommandTable, routes: Routes): Block[] {
  const definitions: Definitions = routes;
  return Object.entries(definitions).map(([domain, members]) => {
    const all = namedRoutes(members);
    const names = new Set(all.map(({ name }) => name));
    const isScoped = all.some(({ route }) => route.workspace !== "none");
    const lane: Lane = isScoped ? "product" : "foundation";
    const id = `api-${kebab(domain)}`;
    return {
      id,
      name: title(kebab(domain)),
      summary: all
        .map(({ route }) => route.summary)
        .join("; ")
        .slice(0, 500),
      kind: "api",
      lane,
      package: "interface",
      ...derived({ routes: all }),
      routes: [...names],
      commands: commands
        .filter((command) => command.routes?.some((name) => names.has(name)) === true)
        .map(({ path }) => path),
      objectTypes: [],
    };
  });
}

/** One block for each first word of the commands. */
export function commandBlocks({ commands, groups }: CommandTable, routes: Routes): Block[] {
  const definitions: Definitions = routes;
  const known = new Map(
    Object.values(definitions).flatMap((domain) =>
      namedRoutes(domain).map((named) => [named.name, named] as const),
    ),
  );
  const byWord = Map.groupBy(commands, ({ path }) => path.split(" ")[0] ?? path);
  return [...byWord].map(([word, members]) => {
    const called = [...new Set(members.flatMap((command) => command.routes ?? []))];
    const [first] = members;
    return {
      id: `command-${word}`,
      name: `svc ${word}`,
      summary: groups.find(({ path }) => path === word)?.summary ?? first?.summary ?? word,
      kind: "commands",
      lane: called.length > 0 ? "addon" : "dev",
      package: "commands",
      ...derived({
        // `publicapi` names the family of any route.
        routes: called.flatMap((name) => known.get(name) ?? []),
        refused: members.filter(({ anyOptions }) => anyOptions === true).map(({ path }) => path),
        isOnServer: members.some(({ options }) => Object.hasOwn(options, "data-dir")),
      }),
      routes: called,
      commands: members.map(({ path }) => path),
      objectTypes: [],
    };
  });
}

/** One block for each starter template of a workspace. */
export function starterBlocks(templates: readonly StarterTemplate[]): Block[] {
  return templates.map(({ key, displayName, description, objectTypes }) => ({
    id: `starter-${kebab(key)}`,
    name: displayName ?? title(key),
    summary: description ?? `Object Types of a new workspace: ${key}`,
    kind: "template",
    lane: "product",
    package: "starter-templates",
    ...derived({ routes: [] }),
    routes: [],
    commands: ["workspace create"],
    objectTypes: objectTypes.map(({ slug }) => slug).filter((slug) => slug !== undefined),
  }));
}
