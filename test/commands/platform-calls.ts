/** A command line for any deployment; `{name}` stands for what the deployment holds. */
export interface PlatformCall {
  readonly words: string;
  /** A part of the interface that a deployment may lack: then exit code 1 says so. */
  readonly needs?: "content" | "deletion" | "doctor" | "readiness" | "geo";
  /** Calls that must come first, e.g. to have a file on the record. */
  readonly after?: readonly string[];
  /** The command needs a route that is an addition, which other deployments do not have. */
  readonly isAddition?: true;
}

/** Every command that talks to a platform, in the order of the help. */
export const platformCalls: readonly PlatformCall[] = [
  { words: "workspace list --all" },
  { words: "workspace select {slug}" },
  { words: "workspace info {slug}" },
  { words: "workspace create --name Yard --slug yard-{unique} --parent {workspace}" },
  { words: "workspace create --name Pier --slug pier-{unique} --home-region eu --allow-root" },
  {
    words: "workspace delete shed-{unique} --force",
    after: ["workspace create --name Shed --slug shed-{unique} --parent {workspace}"],
  },
  {
    words: "workspace delete hut-{unique} --force-hard-purge --parent {workspace}",
    after: ["workspace create --name Hut --slug hut-{unique} --parent {workspace}"],
  },
  {
    words: "workspace restore tent-{unique}",
    after: [
      "workspace create --name Tent --slug tent-{unique} --parent {workspace}",
      "workspace delete tent-{unique} --force",
    ],
    isAddition: true,
  },
  { words: "workspace templates list", isAddition: true },
  { words: "workspace templates export blank-vertical-template", isAddition: true },
  { words: "user list" },
  { words: "user list --search ada --page 1 --limit 5" },
  { words: "user invite --email oak{unique}@example.org --role tenant-staff" },
  { words: "user roles" },
  { words: "user role set --email elm{unique}@example.org --role tenant-viewer" },
  {
    words: "user role create feller{unique} --name Feller --permissions documents.*",
    isAddition: true,
  },
  { words: "user invitations", isAddition: true },
  { words: "user provision-me" },
  { words: "user can" },
  { words: "account sessions", isAddition: true },
  { words: "key list", isAddition: true },
  { words: "key create Import --role tenant-staff --expires-in 90d", isAddition: true },
  { words: "key role {key} --role tenant-staff", isAddition: true },
  { words: "key revoke {key} --force", isAddition: true },
  { words: "types diff" },
  { words: "types seed --dry-run" },
  { words: "types seed" },
  { words: "types pull --output {folder}/pulled.ts" },
  { words: "resources list street-tree" },
  { words: "resources list street-tree --limit 2 --page 2 --sort species" },
  { words: 'resources list street-tree --where {"species":"oak"}' },
  { words: "resources get street-tree {record}" },
  { words: 'resources create street-tree --data {"species":"fir"}' },
  { words: 'resources update street-tree {record} --data {"species":"fir"} --version 1' },
  { words: 'resources update street-tree {record} --data {"species":"fir"}' },
  { words: "resources delete street-tree {record} --force" },
  { words: "resources history street-tree {record}" },
  { words: "resources query --types street-tree,felling-permit" },
  { words: "resources search elm" },
  { words: "resources search elm --types street-tree --fulltext" },
  { words: 'resources aggregate street-tree --group-by species --metrics {"n":{"op":"count"}}' },
  { words: 'resources batch-create street-tree --data [{"species":"fir"},{"species":"box"}]' },
  {
    words:
      'resources batch-update street-tree --data [{"id":"{record}","data":{"species":"fir"},"version":1}]',
  },
  { words: "resources batch-delete street-tree --ids {record}" },
  { words: "resources file upload street-tree {record} plan plan.txt" },
  {
    words: "resources file get street-tree {record} plan --output {folder}/plan.out",
    after: ["resources file upload street-tree {record} plan plan.txt"],
  },
  {
    words: "resources file delete street-tree {record} plan --force",
    after: ["resources file upload street-tree {record} plan plan.txt"],
  },
  { words: "resources schema" },
  { words: "resources storage status" },
  { words: "resources storage doctor", needs: "doctor" },
  { words: "resources doctor", needs: "doctor" },
  { words: "resources sync-schema" },
  { words: "resources sync-schema --dry-run --backend search" },
  { words: "resources indexes-plan --object-type street-tree" },
  { words: "provision entra", after: ["app select portal-{unique} --skip-validate"] },
  {
    words: "provision entra --rotate-secret",
    after: ["app select door-{unique} --skip-validate", "provision entra --force"],
  },
  {
    words: "provision entra --deauthorize --force",
    after: ["app select gate-{unique} --skip-validate", "provision entra --force"],
  },
  { words: "provision storage" },
  { words: "docs upload plan.txt --planning-application-id {application}" },
  { words: "docs classify plan.txt --planning-application-id {application}" },
  { words: "docs job {job}" },
  { words: "docs job {job} --wait --timeout 20" },
  { words: "docs get {document}" },
  { words: "docs configure-type --file type.json", isAddition: true },
  { words: "docs review list", isAddition: true },
  { words: "classifier list", isAddition: true },
  { words: "classifier put wood-{unique} --file classifier.json", isAddition: true },
  ...["get", "train", "target"].map((verb) => ({
    words: `classifier ${verb} wood-{unique}${verb === "target" ? " --app desk --workflow a" : ""}`,
    after: ["classifier put wood-{unique} --file classifier.json"],
    isAddition: true as const,
  })),
  { words: "chat send elms --workflow {workflow}" },
  { words: "chat stream elms --workflow {workflow}" },
  { words: "chat list", isAddition: true },
  { words: "publicapi get /v4/identity/me" },
  { words: "publicapi get /v4/data/resources/{workspace}/street-tree --param limit=2" },
  { words: "publicapi post /v4/identity/me/provision" },
  { words: 'publicapi patch /v4/identity/me/profile --data {"displayName":"Ada"}' },
  {
    words:
      'publicapi put /v4/data/resources/{workspace}/street-tree/{recordPath} --data {"data":{"species":"fir"},"version":1}',
  },
  { words: "publicapi delete /v4/data/resources/{workspace}/street-tree/{recordPath}" },
  { words: "app list" },
  { words: "app list --limit 1" },
  { words: "app create Gate-{unique} --app-url https://gate.example" },
  { words: "app create Pond-{unique} --child-tenant-slug pond-{unique}" },
  { words: "app select gate-{unique}", after: ["app create Gate-{unique}"] },
  { words: "app select anything --skip-validate" },
  { words: "app provision gate-{unique} --select", after: ["app create Gate-{unique}"] },
  {
    words: "app provision gate-{unique} --dry-run --backend blob",
    after: ["app create Gate-{unique}"],
  },
  { words: "vertical list" },
  { words: "workflow provision advice-{unique} --app desk --bind-ai-runtime --stage a --stage b" },
  {
    words: "workflow provision advice-{unique} --vertical desk --status draft",
    after: ["workflow provision advice-{unique} --app desk"],
  },
  { words: "workflow readiness {workflow}", needs: "readiness" },
  { words: "workflow status {workflow}" },
  { words: "workflow request wish-{unique} --reason Needed" },
  { words: "verify" },
  { words: "verify storage", needs: "doctor" },
  { words: "verify calls" },
];

/**
 * Commands that need the answer of an earlier one, or that end the rights of a member: they have
 * their own tests.
 */
export const commandsOfMembers: ReadonlySet<string> = new Set([
  "docs review accept",
  "docs review correct",
  "user accept",
  "user decline",
  "user uninvite",
  "user remove",
  "user leave",
  "user disable",
  "user enable",
  "user revoke-tokens",
  "user role delete",
  "account sign-out",
  "account password",
]);

/** Commands that call no platform, or start one; the sign-in and agents have their own tests. */
export const commandsWithoutPlatform: ReadonlySet<string> = new Set([
  "login",
  "logout",
  "whoami",
  "support",
  "types validate",
  "types define",
  "resources indexes-apply",
  "mcp",
  "serve",
  "serve token",
  "serve backup",
  "serve restore",
  "serve doctor",
  "serve migrate",
  "serve rotate-key",
  "demo",
  "errors",
  // It talks to the website, in separate tests.
  "support",
  "init",
  "dev",
  "template check",
  "gofer refresh",
  "deploy setup",
  "deploy trigger",
  "deploy status",
  "doctor",
  "update",
  "env pull",
  "env list",
  "env push",
  "blocks list",
  "blocks describe",
  "blocks readiness",
  "blocks schema",
  "blocks validate",
  "completion",
  "man",
]);
