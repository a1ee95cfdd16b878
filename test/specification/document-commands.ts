import { commandRow, inFile, workspaceTest, type CommandRow } from "./rows.ts";

/** Commands for chat, workflows, documents and any route, as part 4.7 lists them. */

const storage = (...names: readonly string[]) => inFile("commands/resources/storage", ...names);
const chat = (...names: readonly string[]) => inFile("commands/chat", ...names);
const workflow = (...names: readonly string[]) => inFile("commands/workflow", ...names);
const upload = (...names: readonly string[]) => inFile("commands/docs/upload", ...names);
const job = (...names: readonly string[]) => inFile("commands/docs/job", ...names);
const understanding = (...names: readonly string[]) =>
  inFile("commands/content-understanding", ...names);
const publicapi = (...names: readonly string[]) => inFile("commands/publicapi", ...names);
const details = (...names: readonly string[]) => inFile("commands/specified-details", ...names);
const data = "/v4/data/resources/{tenantId}";
const documents = "/v4/data/documents";
const contextOptions =
  "--tenant-id --format --planning-application-id --business-request-id --assess-case-id --vertical-key --app-key --workflow-key";
const uploadTests = [
  ...upload(
    "docs upload > is accepted, and its job succeeds",
    "docs upload > classify is the same request with its own mode",
    "docs upload > a standalone workflow takes its app from the flag or the settings",
    "docs upload > is refused before the file is looked at, and before any network call > %s > %s",
    "docs upload > is refused before the file is looked at, and before any network call > a missing context is reported with the names of the flags",
  ),
  workspaceTest,
];

export const documentCommands: readonly CommandRow[] = [
  commandRow(
    "chat send <message>",
    "--workflow! --stage=chat --conversation-id",
    chat(
      "chat send > answers with a quote and its place",
      "chat send > stage, params and documents are sent",
    ),
    "POST /v4/ai/chat/{tenantId}/{workflowId}/{stage}",
  ),
  commandRow(
    "chat stream <message>",
    "--workflow! --stage=chat --conversation-id",
    [
      ...chat("chat stream > prints the streamed answer, then its citations"),
      ...details("chat stream sends its stage and conversation"),
    ],
    "POST /v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}",
  ),
  commandRow(
    "workflow provision <workflow-key>",
    "--app --vertical --workspace --display-name --usecase=generic --scope-key --stage --stage-env --stage-prompt --workflow-env-key --bind-ai-runtime --ai-provider --ai-model --ai-profile-key --status=active --write-local-env --write-app-config --env=dev --label --format",
    [
      ...workflow(
        "workflow provision > writes four records with every option, and only what differs when repeated",
        "workflow provision > takes --vertical for --app, and says so once",
      ),
      workspaceTest,
    ],
    `GET ${data}/{objectType}`,
    `POST ${data}/{objectType}`,
    `PUT ${data}/{objectType}/{id}`,
  ),
  commandRow(
    "workflow readiness [keys...]",
    "--workspace --format",
    [
      ...workflow(
        "readiness, status and request tell what is missing, until the workflow is available",
      ),
      workspaceTest,
    ],
    "GET /v4/integrations/builder/readiness",
  ),
  commandRow(
    "workflow status <key>",
    "--workspace --format",
    [
      ...workflow(
        "readiness, status and request tell what is missing, until the workflow is available",
      ),
      workspaceTest,
    ],
    "GET /v4/workflows/runtime/{workflowKey}/status",
  ),
  commandRow(
    "workflow request <key>",
    "--workspace --display-name --reason --format",
    [...details("workflow request sends its name and reason"), workspaceTest],
    "POST /v4/workflows/runtime-requests",
  ),
  commandRow("docs upload <files...>", contextOptions, uploadTests, `POST ${documents}/upload`),
  commandRow("docs classify <files...>", contextOptions, uploadTests, `POST ${documents}/upload`),
  commandRow(
    "docs job <jobId>",
    "--tenant-id --format --wait --timeout",
    [
      ...job(
        "docs job > a wait that ends first exits with 8, and the job continues",
        "docs job > refuses the timeout %s",
        "docs job > %s exits with 1",
      ),
      workspaceTest,
    ],
    `GET ${documents}/jobs/{jobId}`,
  ),
  commandRow(
    "docs get <documentId>",
    "--tenant-id --format --job-id --storage-target=resourceapi",
    [
      ...inFile(
        "commands/docs/get",
        "docs get > a missing document is E202; another storage target is refused",
        "docs get > a job of another document does not give access",
      ),
      workspaceTest,
    ],
    `GET ${documents}/records/{documentId}`,
  ),
  commandRow(
    "docs index <documentId>",
    "",
    details("docs index reads the storage path, then submits the job"),
    `GET ${documents}/records/{documentId}`,
    `POST ${documents}/rag-index`,
  ),
  commandRow("docs configure-type", "--file! --tenant-id --format", [
    ...inFile(
      "commands/docs/review",
      "docs configure-type > stores a type with its analyzer, and reads both back",
      "docs configure-type > reports a partial runtime sync with exit code 1",
    ),
    workspaceTest,
  ]),
  commandRow(
    "classifier target <classifier-key>",
    "--app --workflow --document-lifecycle",
    inFile(
      "commands/classifier",
      "classifier > target binds, and keeps a lifecycle that is not named",
      "classifier > target refuses a classifier that does not exist, and a lifecycle that is none",
    ),
  ),
  commandRow(
    "content-understanding schema",
    "",
    understanding("content-understanding > schema and validate need no sign-in"),
  ),
  commandRow(
    "content-understanding validate",
    "--file!",
    understanding("content-understanding > schema and validate need no sign-in"),
  ),
  commandRow(
    "content-understanding capabilities",
    "--tenant-id!",
    understanding("content-understanding > capabilities name methods and models"),
  ),
  commandRow(
    "content-understanding plan",
    "--tenant-id! --file!",
    understanding("content-understanding > plan, apply, status"),
  ),
  commandRow(
    "content-understanding apply",
    "--tenant-id! --file! --plan! --operation-id --timeout",
    [
      ...understanding(
        "content-understanding > plan, apply, status",
        "content-understanding > apply refuses what is no plan, and a plan of another workspace",
      ),
      ...details("content-understanding apply takes a timeout of 1 to 1800"),
    ],
  ),
  commandRow(
    "content-understanding status",
    "--tenant-id!",
    understanding("content-understanding > plan, apply, status"),
  ),
  ...["get", "delete"].map((method) =>
    commandRow(
      `publicapi ${method} <path>`,
      `--tenant-id --param --include-headers --format${method === "get" ? " --json" : ""}`,
      [
        ...publicapi(
          "the address > --param adds to the query, in order, and may repeat",
          "the address > --json is the old name of --format json",
          "the workspace > --tenant-id changes no selection, and takes an exact UUID only",
          "the answer > --include-headers shows status and headers, but no cookie",
        ),
        ...details("any v4 route > svc publicapi %s %j sends its options"),
      ],
    ),
  ),
  ...["post", "patch", "put"].map((method) =>
    commandRow(
      `publicapi ${method} <path>`,
      "--tenant-id --data --file --param --include-headers --format",
      [
        ...publicapi(
          "the body > --data is sent unchanged",
          "the body > --file is sent as its bytes",
          "the workspace > --tenant-id changes no selection, and takes an exact UUID only",
        ),
        ...details("any v4 route > svc publicapi %s %j sends its options"),
      ],
    ),
  ),
  commandRow(
    "verify",
    "--tenant-id",
    inFile("commands/verify", "each failed check is reported, and the exit code is 1"),
    "GET /v4/data/resources/health",
  ),
  commandRow(
    "verify storage",
    "--tenant-id --format",
    [
      ...storage(
        "storage commands > doctor and verify storage exit with 0, or with 1 and the repair",
      ),
      workspaceTest,
    ],
    `GET ${data}/storage`,
    `GET ${data}/storage/doctor`,
  ),
  commandRow(
    "verify calls",
    "--tenant-id --resource-type --resource-id --workflow --stage=chat --tenant-record --user-email --include-chat --chat-message --format",
    [
      ...inFile(
        "commands/verify",
        "verify calls > of the deployment $name says what it has and what it lacks",
        "verify calls > asks the chat only with --include-chat",
      ),
      ...details("verify calls probes the given values"),
    ],
  ),
];
