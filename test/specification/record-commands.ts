import { commandRow, inFile, workspaceTest, type CommandRow } from "./rows.ts";

/** Commands for types, records and storage, as part 4.7 lists them. */

const refusals = inFile(
  "commands/specified-commands",
  "errors before any network call > svc %s: %s, %s",
);
const single = (...names: readonly string[]) => inFile("commands/resources", ...names);
const batch = (...names: readonly string[]) => inFile("commands/resources/batch/run", ...names);
const file = (...names: readonly string[]) => inFile("commands/resources/file", ...names);
const storage = (...names: readonly string[]) => inFile("commands/resources/storage", ...names);
const entra = (...names: readonly string[]) => inFile("commands/provision-entra", ...names);
const data = "/v4/data/resources/{tenantId}";
const apps = "/v4/platform/provisioning/idp-apps";

export const recordCommands: readonly CommandRow[] = [
  commandRow(
    "types validate",
    "",
    inFile("commands/types", "types validate > reports every fault with its pointer"),
  ),
  commandRow(
    "types seed",
    "--env=dev --tenant-key --tenant-id --dry-run --format",
    [
      ...inFile("commands/types", "types seed > --tenant-key names the workspace by its slug"),
      ...inFile(
        "commands/types/seed",
        "types seed publishes all types or none > --env selects the profile with its name",
      ),
    ],
    "GET /v4/data/resources/object-types",
    "POST /v4/data/resources/object-types",
    "PATCH /v4/data/resources/object-types/{objectTypeId}",
  ),
  commandRow(
    "types diff",
    "--tenant-key --tenant-id",
    inFile(
      "commands/types/diff",
      "types diff where the platform does not count > refuses both names of a workspace, and a broken file before any network call",
    ),
    "GET /v4/data/resources/object-types",
  ),
  commandRow(
    "types pull",
    "--tenant-id --output=src/eai.config/object-types.generated.ts",
    [
      ...inFile(
        "commands/types",
        "types pull > writes all types of the workspace into one file, which reads back the same",
      ),
      ...refusals,
      workspaceTest,
    ],
    "GET /v4/data/resources/object-types",
  ),
  commandRow("types define", "", refusals),
  commandRow(
    "resources list <type>",
    "--tenant-id --page=1 --limit=20 --sort=-created_at --where --cursor --format",
    [
      ...inFile("commands/resources/list", "resources list > sorts, filters and pages"),
      ...refusals,
      workspaceTest,
    ],
    `GET ${data}/{objectType}`,
  ),
  commandRow(
    "resources get <type> <id>",
    "--tenant-id --format",
    [...single("resources get, update, delete > get shows the record"), workspaceTest],
    `GET ${data}/{objectType}/{id}`,
  ),
  commandRow(
    "resources create <type>",
    "--tenant-id --data --file --format",
    [...single("resources create > reads data from %s %s"), workspaceTest],
    `POST ${data}/{objectType}`,
  ),
  commandRow(
    "resources update <type> <id>",
    "--tenant-id --data! --version --format",
    [
      ...single(
        "resources get, update, delete > update fetches the version when none is named, and refuses a stale one",
      ),
      workspaceTest,
    ],
    `PUT ${data}/{objectType}/{id}`,
  ),
  commandRow(
    "resources delete <type> <id>",
    "--tenant-id --force --format",
    [...single("resources get, update, delete > delete with %j needs --force"), workspaceTest],
    `DELETE ${data}/{objectType}/{id}`,
  ),
  commandRow(
    "resources query",
    "--tenant-id --types! --where --limit=20 --format",
    [
      ...inFile(
        "commands/resources/query",
        "resources query > shows how to continue, and reports an empty result",
        "resources query > finds records of all the types",
      ),
      ...refusals,
      workspaceTest,
    ],
    `POST ${data}/query`,
  ),
  commandRow(
    "resources aggregate <type>",
    "--tenant-id --group-by! --metrics! --where --limit=1000 --format",
    [
      ...inFile(
        "commands/resources/aggregate",
        "resources aggregate > prints the rows as JSON, and reports when there are more",
        "resources aggregate > shows the groups with bars that fit the terminal",
      ),
      ...refusals,
      workspaceTest,
    ],
    `POST ${data}/{objectType}/aggregate`,
  ),
  commandRow(
    "resources search <query>",
    "--tenant-id --types --mode=hybrid --hybrid --vector --fulltext --limit=10 --format",
    [
      ...inFile(
        "commands/resources/search",
        "resources search > searches with %s",
        "resources search > keeps to types, a filter and a limit",
        "resources search > refuses wrong usage: %s",
      ),
      workspaceTest,
    ],
    `POST ${data}/search`,
  ),
  commandRow(
    "resources schema",
    "--tenant-id --format",
    [...single("resources schema > lists the published types"), workspaceTest],
    "GET /v4/data/resources/schema/{tenantId}",
  ),
  commandRow(
    "resources batch-create <type>",
    "--tenant-id --data --file --format",
    [...batch("resources batch-create > reads the items of %s %s"), workspaceTest],
    `POST ${data}/{objectType}/batch/create`,
  ),
  commandRow(
    "resources batch-update <type>",
    "--tenant-id --data --file --format",
    [
      ...batch(
        "resources batch-update > reports each update, and exits with 1 when one failed",
        "resources batch-update > refuses an item without version before any network call",
        "a batch of any length > items one per line are read like a list, from a file or stdin",
      ),
      workspaceTest,
    ],
    `POST ${data}/{objectType}/batch/update`,
  ),
  commandRow(
    "resources batch-delete <type>",
    "--tenant-id --data --file --ids --format",
    [
      ...batch(
        "resources batch-delete > accepts IDs as a list, from stdin, from a file, each once",
        "resources batch-delete > refuses %s before any network call",
      ),
      workspaceTest,
    ],
    `POST ${data}/{objectType}/batch/delete`,
  ),
  commandRow("resources file upload <type> <id> <property> <path>", "--tenant-id --format", [
    ...file("resources file upload > prints the stored file, as text and as JSON"),
    workspaceTest,
  ]),
  commandRow("resources file get <type> <id> <property>", "--tenant-id --output", [
    ...file("resources file get > --output replaces a file in one step, and follows no link"),
    workspaceTest,
  ]),
  commandRow("resources file delete <type> <id> <property>", "--tenant-id --force --format", [
    ...file("resources file delete > asks, unless --force is given"),
    workspaceTest,
  ]),
  commandRow(
    "resources storage status",
    "--tenant-id --format",
    [...storage("storage commands > status shows each backend and its provider"), workspaceTest],
    `GET ${data}/storage`,
  ),
  commandRow(
    "resources storage doctor",
    "--tenant-id --format",
    [
      ...storage(
        "storage commands > doctor and verify storage exit with 0, or with 1 and the repair",
      ),
      workspaceTest,
    ],
    `GET ${data}/storage/doctor`,
  ),
  commandRow(
    "resources doctor",
    "--tenant-id --format",
    [
      ...storage(
        "storage commands > doctor and verify storage exit with 0, or with 1 and the repair",
      ),
      workspaceTest,
    ],
    `GET ${data}/storage/doctor`,
  ),
  commandRow(
    "resources sync-schema",
    "--tenant-id --backend --dry-run --format",
    [
      ...storage(
        "storage commands > sync-schema and provision report their results for the normalised backend",
        "storage commands > %s with a result that is %s exits with 1",
      ),
      workspaceTest,
    ],
    `POST ${data}/storage/sync-schema`,
  ),
  commandRow(
    "resources indexes-plan",
    "--tenant-id --object-type! --format",
    [
      ...storage("storage commands > indexes-plan accepts several slugs after one option"),
      workspaceTest,
    ],
    "POST /v4/platform/tenants/{tenantId}/resourceapi/index-plan",
  ),
  commandRow("resources indexes-apply", "", refusals),
  commandRow(
    "provision entra",
    "--force --rotate-secret --deauthorize --client-id --keep-registration --debug",
    entra(
      "registers the app once, and keeps its secret in .env.local only",
      "rotates the secret, which the next call confirms",
      "deauthorizes with --force only, and can keep the registration",
      "registers again in place of a client that is gone, with --force",
      "refuses wrong words before any request",
    ),
    `POST ${apps}`,
    `POST ${apps}/{clientId}/rotate-secret`,
    `DELETE ${apps}/{clientId}`,
  ),
  commandRow(
    "provision storage",
    "--tenant-id --backend=all --dry-run --rebuild-search --format",
    [
      ...storage(
        "storage commands > sync-schema and provision report their results for the normalised backend",
      ),
      workspaceTest,
    ],
    `POST ${data}/storage/provision`,
  ),
];
