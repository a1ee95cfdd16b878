/** A command line for any deployment; `{name}` stands for what the deployment holds. */
export interface PlatformCall {
  readonly words: string;
  /** A part of the interface that a deployment may lack: then exit code 1 says so. */
  readonly needs?: "content" | "deletion" | "doctor" | "readiness" | "geo";
  /** Calls that must come first, e.g. to have a file on the record. */
  readonly after?: readonly string[];
  /** The command needs a route that is an addition, which other deployments do not have. */
  readonly isAddition?: true;
  readonly stdin?: string;
  /** The command talks with a person at a terminal, and has no JSON. */
  readonly isTyped?: true;
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
  { words: "user rules", isAddition: true },
  {
    words: "user rule set team{unique} --role tenant-staff --issuer https://login.example.org",
    isAddition: true,
  },
  {
    words: "user rule delete gone{unique} --force",
    after: ["user rule set gone{unique} --role tenant-staff --issuer https://login.example.org"],
    isAddition: true,
  },
  { words: "user invitations", isAddition: true },
  { words: "user provision-me" },
  { words: "user can" },
  { words: "account sessions", isAddition: true },
  { words: "account factors list", isAddition: true },
  { words: "audit list --outcome done", isAddition: true },
  { words: "audit verify", isAddition: true },
  { words: "workspace quota", isAddition: true },
  { words: "audit export --output {folder}/audit.ndjson", isAddition: true },
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
  { words: "docs upload plan.txt . --planning-application-id {application} --wait" },
  { words: "docs index {document}", after: ["docs job {job} --wait --timeout 20"] },
  { words: "docs list", isAddition: true },
  { words: "docs get {document}" },
  { words: "docs configure-type --file type.json", isAddition: true },
  { words: "docs review list", isAddition: true },
  ...["capabilities", "plan --file manifest.json", "status"].map((words) => ({
    words: `content-understanding ${words} --tenant-id {workspace}`,
    isAddition: true as const,
  })),
  { words: "classifier list", isAddition: true },
  { words: "classifier put wood-{unique} --file classifier.json", isAddition: true },
  ...["get", "train", "target"].map((verb) => ({
    words: `classifier ${verb} wood-{unique}${verb === "target" ? " --app desk --workflow a" : ""}`,
    after: ["classifier put wood-{unique} --file classifier.json"],
    isAddition: true as const,
  })),
  { words: "docs content {document} --output {folder}/plan.out", needs: "content" },
  {
    words: "docs content {document} --as text",
    after: ["docs job {job} --wait --timeout 20"],
    isAddition: true,
  },
  { words: "docs content {document} --as tables --page 1", isAddition: true },
  {
    words: "docs content {document} --as words --page 1",
    after: ["docs job {job} --wait --timeout 20"],
    isAddition: true,
  },
  { words: "docs delete {document} --force", needs: "deletion" },
  { words: "chat send elms --workflow {workflow}" },
  { words: "chat stream elms --workflow {workflow}" },
  { words: "chat list", isAddition: true },
  { words: "docs search oak", isAddition: true },
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
 * Calls of a deployment of another maker only. At the embedded platform they need the answer of an
 * earlier call, a job that has not succeeded or a viewer, or end the rights of a member: there they
 * have their own tests. The ids are of no form that the embedded platform has.
 */
export const foreignCalls: readonly PlatformCall[] = [
  { words: "user role set --member-id {member} --role tenant-staff" },
  { words: "chat send elms --workflow {workflow} --conversation-id {key}" },
  { words: "chat --workflow {workflow}", stdin: "elms\n/quit\n", isTyped: true },
  { words: "docs upload plan.txt --planning-application-id PA/2024:17 --assess-case-id case.3" },
  { words: "docs upload plan.txt --business-request-id BR:17" },
  { words: "init shed --company-workspace {workspace} --skip-prompts" },
  { words: "docs open {document}", needs: "content" },
  ...[
    "chat show conv:17",
    "chat rename conv:17 Heights",
    "chat export conv:17 --output {folder}/chat.md",
    "chat delete conv:17 --force",
    "content-understanding apply --file manifest.json --plan plan.json --tenant-id {workspace}",
    "docs review accept {document} label",
    "docs review correct {document} label --value oak",
    "docs retry {job}",
    "docs cancel {job}",
    "user accept secret",
    "user decline secret --force",
    "user uninvite invitation:17 --force",
    "user remove {member} --force",
    "user remove ada@example.org --force",
    "user leave --force",
    "user disable {member} --force",
    "user disable {member} --everywhere --force",
    "user enable {member}",
    "user revoke-tokens {member} --force",
    "user reset-factors {member} --force",
    "user role delete feller --force",
    "account sign-out session:17 --force",
    "account sign-out --all --force",
    "account factors confirm factor:17 123456",
    "key role key:17 --role tenant-staff",
    "key revoke key:17 --force",
  ].map((words) => ({ words, isAddition: true as const })),
  ...[
    "account factors add",
    "account factors remove factor:17 --force",
    "account factors codes",
  ].map((words) => ({ words, stdin: "password\n", isAddition: true as const })),
  { words: "account password", stdin: "password\nnew password\n", isAddition: true },
];

/**
 * Commands of {@link commandsOfMembers}, for platforms whose answers do not depend on the
 * request.
 */
export const memberCalls: readonly PlatformCall[] = [
  "chat show {id}",
  "chat rename {id} Elms",
  "chat export {id}",
  "chat delete {id} --force",
  "verify isolation",
  "docs review accept {id} species",
  "docs review correct {id} species --value elm",
  "user accept {secret}",
  "user decline {secret}",
  "user uninvite {id}",
  "user remove {id} --force",
  "user leave --workspace {workspace} --force",
  "user disable {id} --force",
  "user enable {id}",
  "user revoke-tokens {id} --force",
  "user role delete {id} --force",
  "account sign-out {id} --force",
  "account password",
  "account factors add",
  "account factors confirm {id} 123456",
  "account factors remove {id} --force",
  "account factors codes",
  "user reset-factors {id} --force",
  "docs retry {id}",
  "docs cancel {id}",
  "docs open {id}",
].map((words) => ({ words, isAddition: true }));

/**
 * Commands of which the embedded platform has no line here. `verify isolation` compares two
 * accounts by routes that are additions, so other deployments have no line of it either.
 */
export const commandsOfMembers: ReadonlySet<string> = new Set([
  "chat",
  "chat show",
  "chat rename",
  "chat export",
  "chat delete",
  "verify isolation",
  "content-understanding apply",
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
  "account factors add",
  "account factors confirm",
  "account factors remove",
  "account factors codes",
  "user reset-factors",
  "docs retry",
  "docs cancel",
  "docs open",
]);

/** Commands that call no platform, or start one; the sign-in and agents have their own tests. */
export const commandsWithoutPlatform: ReadonlySet<string> = new Set([
  "content-understanding schema",
  "content-understanding validate",
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
  "serve rotate-signing-key",
  "serve quota list",
  "serve quota set",
  "demo",
  "errors",
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

/** Fills `{name}` in each word. */
export function filledWords(words: string, names: Readonly<Record<string, string>>): string[] {
  return words
    .split(" ")
    .map((word) => word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole));
}
