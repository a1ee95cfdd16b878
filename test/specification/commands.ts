import { commandRow, inFile, workspaceTest, type CommandRow } from "./rows.ts";

/** Commands for projects, the user, workspaces and members, as part 4.7 lists them. */

const project = (...names: readonly string[]) => inFile("commands/project", ...names);
const login = (...names: readonly string[]) => inFile("commands/login", ...names);
const workspace = (...names: readonly string[]) => inFile("commands/workspace", ...names);
const removal = (...names: readonly string[]) => inFile("commands/workspace-removal", ...names);
const user = (...names: readonly string[]) => inFile("commands/user", ...names);
const env = (...names: readonly string[]) => inFile("commands/env", ...names);
const deploy = (...names: readonly string[]) => inFile("commands/deploy", ...names);
const blocks = (...names: readonly string[]) => inFile("commands/blocks", ...names);
const app = (...names: readonly string[]) => inFile("commands/app", ...names);
const details = (...names: readonly string[]) => inFile("commands/specified-details", ...names);
const tenants = "GET /v4/identity/tenants";
const platform = "/v4/platform/tenants";
const records = "/v4/data/resources/{tenantId}/{objectType}";

export const projectCommands: readonly CommandRow[] = [
  commandRow(
    "init [name]",
    "--from --skip-prompts --current-dir --company-workspace --company-tenant --parent-tenant --child-tenant --create-child-tenant --no-gofer --package-profile=external",
    project(
      "init > --from script --package-profile internal makes that project",
      "init > --current-dir writes here, and replaces nothing",
      "init > --company-workspace creates the app before it writes files",
    ),
    `POST ${platform}/{tenantId}/apps`,
  ),
  commandRow(
    "dev",
    "--port=3000 --turbo=true --no-turbo --skip-checks",
    project("dev > checks the project first, unless --skip-checks is given"),
  ),
  commandRow(
    "env pull",
    "--env=dev --label --include-secrets",
    env(
      "the folder store > carries variables from one checkout to another; secrets only by name",
      "the folder store > --key sends a secret, and --include-secrets writes it",
    ),
  ),
  commandRow(
    "env list",
    "--show-secrets --format",
    env("env list > masks secrets without --show-secrets"),
  ),
  commandRow(
    "env push",
    "--label --key",
    env(
      "the folder store > --key sends a secret, and --include-secrets writes it",
      "Azure App Configuration > stores and reads settings by its client, signed",
    ),
  ),
  commandRow(
    "deploy setup",
    "--repo! --format",
    deploy("failures > an unknown repository is E202; a redirect is not followed"),
  ),
  commandRow(
    "deploy trigger",
    "--repo! --branch=main --workflow=deploy-demo.yml --format",
    deploy("deploy trigger > starts deploy-demo.yml on main by default"),
  ),
  commandRow(
    "deploy status",
    "--repo! --format",
    deploy("failures > no token is E002; plain HTTP to another host is E006"),
  ),
  commandRow(
    "blocks list",
    "--lane --coupling --readiness --package-profile --custom --group-by=lane --format",
    blocks(
      "blocks list > %s",
      "blocks list > --custom lists the project's own blocks",
      "blocks list > shows a heading for each group",
    ),
  ),
  commandRow(
    "blocks describe <block-id>",
    "--format",
    blocks("blocks describe and readiness > show one block with its reasons"),
  ),
  commandRow(
    "blocks readiness",
    "--format",
    blocks("blocks describe and readiness > count the states of all blocks"),
  ),
  commandRow(
    "blocks schema",
    "--format",
    blocks("blocks schema and validate > the schema describes a file of blocks, in both formats"),
  ),
  commandRow(
    "blocks validate",
    "--file --strict --format",
    blocks(
      "blocks schema and validate > --file names each fault by its pointer",
      "blocks schema and validate > --strict refuses unknown members, routes and commands",
    ),
  ),
  commandRow(
    "app list",
    "--tenant-id --limit=50 --format",
    [...app("apps are created with every option, and listed"), workspaceTest],
    `GET ${records}`,
  ),
  commandRow(
    "app create <name>",
    "--tenant-id --parent-tenant --child-tenant --child-tenant-slug --key --template --source=eai-cli --app-url --status=pending --format",
    [
      ...app(
        "apps are created with every option, and listed",
        "a name becomes a key in kebab-case",
        "a child is created with the app that runs in it",
      ),
      workspaceTest,
    ],
    `POST ${platform}/{tenantId}/apps`,
  ),
  commandRow(
    "app select <key>",
    "--tenant-id --skip-validate --format",
    [
      ...app(
        "app select > writes both names once, and leaves other lines as they are",
        "app select > writes nothing for an app that does not exist, or without a project",
      ),
      workspaceTest,
    ],
    `GET ${records}`,
  ),
  commandRow(
    "app provision <key>",
    "--tenant-id --app-tenant-id --job-id --backend --dry-run --rebuild-search --skip-validate --select --format",
    app(
      "app provision > waits until the app is ready, binds the project, and reads the job again",
      "app provision > plans storage with --dry-run, and starts no job",
      "app provision > binds nothing when the job fails",
      "app provision > refuses %s before any network call",
    ),
  ),
  commandRow(
    "doctor",
    "--fix --check-updates",
    project(
      "doctor > finds and repairs rights, ignored files and managed files",
      "doctor > --check-updates asks the registry",
    ),
  ),
  commandRow("update", "--check --no-project-refresh", [
    ...project(
      "update > --check compares versions and changes nothing",
      "update > renews managed files after a backup, then checks the template",
    ),
    ...inFile(
      "commands/update",
      "update installs > from a folder, and --rollback swaps both executables",
    ),
  ]),
  commandRow(
    "gofer refresh",
    "--check --force --format",
    project(
      "gofer refresh and template check > restore missing files, keep changed ones, and back up with --force",
    ),
  ),
  commandRow(
    "template check",
    "--format --ai-plan --preserve-ui=true",
    project(
      "gofer refresh and template check > --preserve-ui leaves pages out of the steps, --ai-plan prints them",
    ),
  ),
];

export const accountCommands: readonly CommandRow[] = [
  commandRow("login", "--tenant-name --tenant-id --scope --callback-port", [
    ...login(
      "login and logout > refuses two workspaces, an invalid port, and a platform that is down",
      "login and logout > selects the named workspace",
      "login and logout > asks for the given scopes, and waits on the given port",
    ),
  ]),
  commandRow(
    "logout",
    "",
    login("login and logout > logout deletes tokens.json and every selected workspace"),
  ),
  commandRow(
    "whoami",
    "",
    inFile("commands/whoami", "whoami > shows the user, and the source of each setting"),
  ),
  commandRow(
    "workspace list",
    "--parent --all --debug --raw-user --format",
    workspace(
      "workspace list > --parent lists only the children of one workspace",
      "workspace list > reports how many it leaves out, and shows them with --all",
      "workspace list > --debug reports the request on stderr",
      "workspace list > --raw-user prints the route's response",
    ),
    tenants,
  ),
  commandRow(
    "workspace select [workspace]",
    "",
    workspace(
      "workspace select > is stored for its platform",
      "workspace select > asks on a terminal, and accepts a number or a slug",
    ),
    tenants,
  ),
  commandRow(
    "workspace info <id>",
    "--format",
    workspace("workspace info > takes a slug or an ID"),
    tenants,
  ),
  commandRow(
    "workspace create",
    "--name! --slug! --parent --domain --usecase --industry --starter-template --home-region --allow-root --format",
    workspace(
      "workspace create > creates a child whose first admin is the caller",
      "workspace create > creates a root in its region",
      "workspace create > refuses %s before any network call",
    ),
    `POST ${platform}/{parentId}/children`,
    `POST ${platform}/{parentId}/children/{childId}/bootstrap-admin`,
    `GET ${platform}/{tenantId}/users/{oid}/memberships`,
    `POST ${platform}`,
  ),
  commandRow(
    "workspace delete <id>",
    "--force --force-hard-purge --parent --format",
    removal(
      "workspace delete > names the deadline, and restore brings it back",
      "workspace delete > purges a child through its parent, with a receipt",
      "workspace delete > purges a tree as the system administrator only",
    ),
    `POST ${platform}/{tenantId}/delete`,
    `POST ${platform}/{parentId}/children/{childId}/delete`,
  ),
  commandRow(
    "user invite",
    "--email! --workspace --tenant --role=tenant-viewer --role-definition-id --first-name --last-name --message --redirect-uri --format",
    [
      ...user("user invite > shows the link once, on stderr, and the pending invitation"),
      ...details("user invite and user role set send every option"),
      workspaceTest,
    ],
    `POST ${platform}/{tenantId}/members/invite`,
  ),
  commandRow(
    "user list",
    "--workspace --search --page=1 --limit=25 --sort=email --format",
    [
      ...user(
        "user list > shows a page, sorted by address, and names the next one",
        "user list > searches, sorts, counts, and prints CSV",
      ),
      workspaceTest,
    ],
    `GET ${platform}/{tenantId}/members`,
  ),
  commandRow(
    "user roles",
    "--workspace --format",
    [...user("roles > are listed, defined, given and deleted"), workspaceTest],
    `GET ${platform}/{tenantId}/role-definitions`,
  ),
  commandRow(
    "user role set",
    "--email --member-id --workspace --role --first-name --last-name --message --redirect-uri --format",
    [
      ...user(
        "roles > are listed, defined, given and deleted",
        "user invite > refuses wrong words before any request",
      ),
      ...details("user invite and user role set send every option"),
      workspaceTest,
    ],
    `POST ${platform}/{tenantId}/members/invite`,
    `PATCH ${platform}/{tenantId}/members/{memberId}/roles`,
  ),
  commandRow(
    "user provision-me",
    "--workspace",
    user("user provision-me confirms the membership"),
    "POST /v4/identity/me/provision",
  ),
  commandRow(
    "support",
    "--format --source --tool --tool-version --command --exit-code --error-code --description --decline --create-context-file --context-file --approved-digest --organisation-location --no-last-error --yes --no-open",
    [
      ...inFile(
        "commands/support/options",
        "--format text|json > JSON previews until --yes --approved-digest",
        "--format text|json > text on a terminal asks, and sends after yes only",
        "--tool, --tool-version, --command, --exit-code, --error-code > are the report's context",
        "--source defaults to harness when --tool is given, else the client source",
        "--description has 10 to 6000 characters after redaction > accepts %#",
        "--decline > cannot combine with %s",
        "--organisation-location > is sent when the session has no active workspace",
        "--no-last-error and the last error > an error is in the next report until it is left out",
        "--no-open > opens the draft's address in the browser, except with the option",
      ),
      ...inFile("commands/support/harness", "--context-file > reads a file, and stdin for -"),
    ],
  ),
];
