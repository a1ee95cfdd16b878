import type { CommandGroup } from "#cli/command.ts";

/** A group, and the order of the words below it. */
interface OrderedGroup extends CommandGroup {
  /** The words in the order of the help; others follow them by name. */
  readonly order?: string;
}

/** The order of the first words; others follow them by name. */
const firstWords =
  "login logout whoami workspace user init dev template gofer deploy doctor update env config account " +
  "audit key webhook types resources geo alert provision docs classifier content-understanding chat app " +
  "workflow watch publicapi mcp skill blocks serve demo verify support errors completion man";

/** The words that group commands, in the order of the help (spec 4.7 and part 5). */
export const groups: readonly OrderedGroup[] = [
  {
    path: "workspace",
    summary: "List, choose, create and delete workspaces",
    order: "list select info quota create delete restore templates",
  },
  {
    path: "workspace templates",
    summary: "Starter templates of new workspaces",
    order: "list export",
  },
  {
    path: "user",
    summary: "Members of a workspace, invitations and roles",
    order:
      "list invite invitations uninvite accept decline roles role rules rule remove leave " +
      "disable enable revoke-tokens reset-password reset-factors provision-me can",
  },
  { path: "user role", summary: "Give, define and delete roles", order: "set create delete" },
  {
    path: "user rule",
    summary: "Roles by groups of an external identity provider",
    order: "set delete",
  },
  {
    path: "env",
    summary: "A project's variables: list, fetch and send them",
    order: "pull list push",
  },
  {
    path: "config",
    summary: "Settings of a profile: read-only, aliases, keys, plugins",
    order: "show set unset",
  },
  { path: "template", summary: "A project and its template" },
  { path: "gofer", summary: "Managed files of a project" },
  {
    path: "deploy",
    summary: "Deployments by workflows of a source host",
    order: "setup trigger status",
  },
  {
    path: "account",
    summary: "Your own password and sessions",
    order: "sessions sign-out password factors marks seen",
  },
  {
    path: "account factors",
    summary: "Second factors of your sign-in",
    order: "list add confirm remove codes",
  },
  { path: "audit", summary: "The log of changes and refused tries", order: "list verify export" },
  {
    path: "webhook",
    summary: "Endpoints that receive a workspace's changes, and what was sent to them",
    order: "create list show update delete test rotate enable deliveries replay listen source",
  },
  {
    path: "webhook source",
    summary: "Sources of signed calls from outside, and the calls that they receive",
    order: "create list show update delete rotate test received call replay",
  },
  {
    path: "key",
    summary: "API keys of service accounts, for scripts",
    order: "list create role revoke",
  },
  {
    path: "types",
    summary: "Object Types: check, publish and fetch definitions",
    order: "validate diff seed pull define",
  },
  {
    path: "resources",
    summary: "Records of a workspace",
    order:
      "list get create update delete history query search aggregate batch-create batch-update " +
      "batch-delete file schema storage doctor sync-schema indexes-plan indexes-apply",
  },
  {
    path: "alert",
    summary: "Alerts for you, and the rules that raise them",
    order: "list show ack rule channel",
  },
  {
    path: "alert rule",
    summary: "Rules that raise alerts",
    order: "list create show update delete",
  },
  {
    path: "alert channel",
    summary: "How alerts reach you, or the members with a role",
    order: "show update",
  },
  {
    path: "geo",
    summary: "Places by names, addresses and points, and datasets of features",
    order: "resolve reverse map datasets features import imports report",
  },
  {
    path: "geo datasets",
    summary: "Datasets of features with their source and licence",
    order: "list show create update delete",
  },
  { path: "geo imports", summary: "Imports of files into datasets", order: "show cancel" },
  {
    path: "geo report",
    summary: "Reports about records or features by place",
    order: "create list show run results update delete",
  },
  {
    path: "geo features",
    summary: "Features of a dataset",
    order: "list get create update delete",
  },
  { path: "resources file", summary: "Files on records' properties", order: "upload get delete" },
  {
    path: "resources storage",
    summary: "Backends of records and files, and their findings",
    order: "status doctor",
  },
  { path: "provision", summary: "Provision storage, and the sign-in of an app" },
  {
    path: "docs",
    summary: "Documents: upload, classify, follow jobs",
    order:
      "upload classify job retry cancel index list get content open delete configure-type review " +
      "search",
  },
  {
    path: "docs review",
    summary: "Labels and fields below their threshold",
    order: "list accept correct",
  },
  {
    path: "classifier",
    summary: "Classifiers of documents: labels, examples, trained models",
    order: "list get put train target",
  },
  {
    path: "content-understanding",
    summary: "Plan and apply what documents are read with",
    order: "schema validate capabilities plan apply status",
  },
  {
    path: "chat",
    summary: "Ask a workflow; answers cite their sources",
    order: "send stream list show rename export delete",
  },
  {
    path: "app",
    summary: "Apps: enroll, choose and provision",
    oldNames: ["vertical"],
    order: "list create select provision",
  },
  {
    path: "blocks",
    summary: "Building blocks: routes, commands and templates",
    order: "list describe readiness schema validate",
  },
  {
    path: "workflow",
    summary: "Workflows: provision, readiness, status and requests",
    order: "provision readiness status request",
  },
  { path: "publicapi", summary: "Call any v4 route", order: "get post patch put delete" },
  { path: "serve quota", summary: "Limits of workspaces" },
  { path: "serve admin", summary: "The installation's administrator" },
];

/** Words below a command that is no group. */
const below: Readonly<Record<string, string>> = {
  "": firstWords,
  serve: "token backup restore move doctor migrate rotate-key rotate-signing-key quota",
  "serve backup": "take list verify",
  verify: "storage calls isolation",
};

const orders = new Map<string, readonly string[]>([
  ...Object.entries(below).map(([path, words]) => [path, words.split(" ")] as const),
  ...groups.map(({ path, order = "" }) => [path, order.split(" ")] as const),
]);

/** Compares two paths by their place in the help. */
export function byHelp(one: string, other: string): number {
  const [left, right] = [one.split(" "), other.split(" ")];
  const differing = left.findIndex((word, index) => word !== right[index]);
  if (differing < 0) return left.length - right.length;
  const [word = "", otherWord] = [left[differing], right[differing]];
  if (otherWord === undefined) return 1;
  const order = orders.get(left.slice(0, differing).join(" ")) ?? [];
  const placeOf = (name: string): number => {
    const place = order.indexOf(name);
    return place < 0 ? order.length : place;
  };
  return placeOf(word) - placeOf(otherWord) || (word < otherWord ? -1 : 1);
}
