import type { CommandTable } from "#cli/command.ts";
import { appCreateCommand } from "./app/create.ts";
import { appListCommand } from "./app/list.ts";
import { appProvisionCommand } from "./app/provision.ts";
import { appSelectCommand } from "./app/select.ts";
import { blocksDescribeCommand } from "./blocks/describe.ts";
import { blocksListCommand } from "./blocks/list.ts";
import { blocksReadinessCommand } from "./blocks/readiness.ts";
import { blocksSchemaCommand } from "./blocks/schema.ts";
import { blocksValidateCommand } from "./blocks/validate.ts";
import { accountFactorsAddCommand } from "./account/factors/add.ts";
import { accountFactorsCodesCommand } from "./account/factors/codes.ts";
import { accountFactorsConfirmCommand } from "./account/factors/confirm.ts";
import { accountFactorsListCommand } from "./account/factors/list.ts";
import { accountFactorsRemoveCommand } from "./account/factors/remove.ts";
import { accountPasswordCommand } from "./account/password.ts";
import { accountSessionsCommand } from "./account/sessions.ts";
import { accountSignOutCommand } from "./account/sign-out.ts";
import { chatCommand } from "./chat.ts";
import { chatDeleteCommand } from "./chat/delete.ts";
import { chatExportCommand } from "./chat/export.ts";
import { chatListCommand } from "./chat/list.ts";
import { chatRenameCommand } from "./chat/rename.ts";
import { chatSendCommand } from "./chat/send.ts";
import { chatShowCommand } from "./chat/show.ts";
import { chatStreamCommand } from "./chat/stream.ts";
import { completionCommand } from "./completion.ts";
import { classifierGetCommand } from "./classifier/get.ts";
import { classifierListCommand } from "./classifier/list.ts";
import { classifierPutCommand } from "./classifier/put.ts";
import { classifierTargetCommand } from "./classifier/target.ts";
import { classifierTrainCommand } from "./classifier/train.ts";
import { understandingApplyCommand } from "./content-understanding/apply.ts";
import { understandingCapabilitiesCommand } from "./content-understanding/capabilities.ts";
import { understandingPlanCommand } from "./content-understanding/plan.ts";
import { understandingSchemaCommand } from "./content-understanding/schema.ts";
import { understandingStatusCommand } from "./content-understanding/status.ts";
import { understandingValidateCommand } from "./content-understanding/validate.ts";
import type { CommandContext } from "./context.ts";
import { demoCommand } from "./demo.ts";
import { deploySetupCommand } from "./deploy/setup.ts";
import { deployStatusCommand } from "./deploy/status.ts";
import { deployTriggerCommand } from "./deploy/trigger.ts";
import { devCommand } from "./dev.ts";
import { docsCancelCommand } from "./docs/cancel.ts";
import { docsClassifyCommand } from "./docs/classify.ts";
import { docsConfigureTypeCommand } from "./docs/configure-type.ts";
import { docsReviewAcceptCommand } from "./docs/review/accept.ts";
import { docsReviewCorrectCommand } from "./docs/review/correct.ts";
import { docsReviewListCommand } from "./docs/review/list.ts";
import { docsContentCommand } from "./docs/content.ts";
import { docsDeleteCommand } from "./docs/delete.ts";
import { docsGetCommand } from "./docs/get.ts";
import { docsIndexCommand } from "./docs/index-document.ts";
import { docsJobCommand } from "./docs/job.ts";
import { docsSearchCommand } from "./docs/search.ts";
import { docsListCommand } from "./docs/list.ts";
import { docsOpenCommand } from "./docs/open.ts";
import { docsRetryCommand } from "./docs/retry.ts";
import { docsUploadCommand } from "./docs/upload.ts";
import { doctorCommand } from "./doctor.ts";
import { envListCommand } from "./env/list.ts";
import { envPullCommand } from "./env/pull.ts";
import { envPushCommand } from "./env/push.ts";
import { errorsCommand } from "./errors.ts";
import { goferRefreshCommand } from "./gofer/refresh.ts";
import { initCommand } from "./init.ts";
import { auditExportCommand } from "./audit/export.ts";
import { auditListCommand } from "./audit/list.ts";
import { auditVerifyCommand } from "./audit/verify.ts";
import { keyCreateCommand } from "./key/create.ts";
import { keyListCommand } from "./key/list.ts";
import { keyRevokeCommand } from "./key/revoke.ts";
import { keyRoleCommand } from "./key/role.ts";
import { loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import { manCommand } from "./man.ts";
import { provisionEntraCommand } from "./provision/entra.ts";
import { mcpCommand } from "./mcp.ts";
import { provisionStorageCommand } from "./provision/storage.ts";
import { publicapiCommands } from "./publicapi.ts";
import { resourcesAggregateCommand } from "./resources/aggregate.ts";
import { resourcesBatchCreateCommand } from "./resources/batch-create.ts";
import { resourcesBatchDeleteCommand } from "./resources/batch-delete.ts";
import { resourcesBatchUpdateCommand } from "./resources/batch-update.ts";
import { resourcesCreateCommand } from "./resources/create.ts";
import { resourcesDeleteCommand } from "./resources/delete.ts";
import { resourcesDoctorCommand } from "./resources/doctor.ts";
import { resourcesFileDeleteCommand } from "./resources/file/delete.ts";
import { resourcesFileGetCommand } from "./resources/file/get.ts";
import { resourcesFileUploadCommand } from "./resources/file/upload.ts";
import { resourcesGetCommand } from "./resources/get.ts";
import { resourcesHistoryCommand } from "./resources/history.ts";
import { resourcesIndexesApplyCommand } from "./resources/indexes-apply.ts";
import { resourcesIndexesPlanCommand } from "./resources/indexes-plan.ts";
import { resourcesListCommand } from "./resources/list.ts";
import { resourcesQueryCommand } from "./resources/query.ts";
import { resourcesSchemaCommand } from "./resources/schema.ts";
import { resourcesSearchCommand } from "./resources/search.ts";
import { resourcesStorageDoctorCommand } from "./resources/storage/doctor.ts";
import { resourcesStorageStatusCommand } from "./resources/storage/status.ts";
import { resourcesSyncSchemaCommand } from "./resources/sync-schema.ts";
import { resourcesUpdateCommand } from "./resources/update.ts";
import { serveCommand } from "./serve.ts";
import { serveBackupCommand } from "./serve/backup.ts";
import { serveDoctorCommand } from "./serve/doctor.ts";
import { serveMigrateCommand } from "./serve/migrate.ts";
import { serveRestoreCommand } from "./serve/restore.ts";
import { serveQuotaListCommand } from "./serve/quota/list.ts";
import { serveQuotaSetCommand } from "./serve/quota/set.ts";
import { serveRotateKeyCommand } from "./serve/rotate-key.ts";
import { serveRotateSigningKeyCommand } from "./serve/rotate-signing-key.ts";
import { serveTokenCommand } from "./serve/token.ts";
import { templateCheckCommand } from "./template/check.ts";
import { supportCommand } from "./support.ts";
import { typesDefineCommand } from "./types/define.ts";
import { typesDiffCommand } from "./types/diff.ts";
import { typesPullCommand } from "./types/pull.ts";
import { typesSeedCommand } from "./types/seed.ts";
import { typesValidateCommand } from "./types/validate.ts";
import { updateCommand } from "./update.ts";
import { userAcceptCommand } from "./user/accept.ts";
import { userCanCommand } from "./user/can.ts";
import { userDeclineCommand } from "./user/decline.ts";
import { userDisableCommand } from "./user/disable.ts";
import { userEnableCommand } from "./user/enable.ts";
import { userInvitationsCommand } from "./user/invitations.ts";
import { userInviteCommand } from "./user/invite.ts";
import { userLeaveCommand } from "./user/leave.ts";
import { userListCommand } from "./user/list.ts";
import { userProvisionMeCommand } from "./user/provision-me.ts";
import { userRemoveCommand } from "./user/remove.ts";
import { userRevokeTokensCommand } from "./user/revoke-tokens.ts";
import { userRoleCreateCommand } from "./user/role/create.ts";
import { userResetFactorsCommand } from "./user/reset-factors.ts";
import { userRoleDeleteCommand } from "./user/role/delete.ts";
import { userRoleSetCommand } from "./user/role/set.ts";
import { userRolesCommand } from "./user/roles.ts";
import { userRuleDeleteCommand } from "./user/rule/delete.ts";
import { userRuleSetCommand } from "./user/rule/set.ts";
import { userRulesCommand } from "./user/rules.ts";
import { userUninviteCommand } from "./user/uninvite.ts";
import { verifyCommand } from "./verify.ts";
import { verifyIsolationCommand } from "./verify/isolation.ts";
import { verifyCallsCommand } from "./verify/calls.ts";
import { verifyStorageCommand } from "./verify/storage.ts";
import { whoamiCommand } from "./whoami.ts";
import { workflowProvisionCommand } from "./workflow/provision.ts";
import { workflowReadinessCommand } from "./workflow/readiness.ts";
import { workflowRequestCommand } from "./workflow/request.ts";
import { workflowStatusCommand } from "./workflow/status.ts";
import { workspaceCreateCommand } from "./workspace/create.ts";
import { workspaceDeleteCommand } from "./workspace/delete.ts";
import { workspaceQuotaCommand } from "./workspace/quota.ts";
import { workspaceInfoCommand } from "./workspace/info.ts";
import { workspaceListCommand } from "./workspace/list.ts";
import { workspaceRestoreCommand } from "./workspace/restore.ts";
import { workspaceSelectCommand } from "./workspace/select.ts";
import { workspaceTemplatesExportCommand } from "./workspace/templates/export.ts";
import { workspaceTemplatesListCommand } from "./workspace/templates/list.ts";

/** All commands (spec 4.7 and part 5), in the order of the help. */
export const commandTable: CommandTable<CommandContext> = {
  groups: [
    { path: "workspace", summary: "List, choose, create and delete workspaces" },
    { path: "workspace templates", summary: "Starter templates of new workspaces" },
    { path: "user", summary: "Members of a workspace, invitations and roles" },
    { path: "user role", summary: "Give, define and delete roles" },
    { path: "user rule", summary: "Roles by groups of an external identity provider" },
    { path: "env", summary: "A project's variables: list, fetch and send them" },
    { path: "template", summary: "A project and its template" },
    { path: "gofer", summary: "Managed files of a project" },
    { path: "deploy", summary: "Deployments by workflows of a source host" },
    { path: "account", summary: "Your own password and sessions" },
    { path: "audit", summary: "The log of changes and refused tries" },
    { path: "key", summary: "API keys of service accounts, for scripts" },
    { path: "types", summary: "Object Types: check, publish and fetch definitions" },
    { path: "resources", summary: "Records of a workspace" },
    { path: "resources file", summary: "Files on records' properties" },
    { path: "resources storage", summary: "Backends of records and files, and their findings" },
    { path: "provision", summary: "Provision storage, and the sign-in of an app" },
    { path: "docs", summary: "Documents: upload, classify, follow jobs" },
    { path: "docs review", summary: "Labels and fields below their threshold" },
    { path: "classifier", summary: "Classifiers of documents: labels, examples, trained models" },
    { path: "content-understanding", summary: "Plan and apply what documents are read with" },
    { path: "chat", summary: "Ask a workflow; answers cite their sources" },
    { path: "app", summary: "Apps: enroll, choose and provision", oldNames: ["vertical"] },
    { path: "blocks", summary: "Building blocks: routes, commands and templates" },
    { path: "workflow", summary: "Workflows: provision, readiness, status and requests" },
    { path: "publicapi", summary: "Call any v4 route" },
    { path: "serve quota", summary: "Limits of workspaces" },
  ],
  commands: [
    loginCommand,
    logoutCommand,
    whoamiCommand,
    workspaceListCommand,
    workspaceSelectCommand,
    workspaceInfoCommand,
    workspaceQuotaCommand,
    workspaceCreateCommand,
    workspaceDeleteCommand,
    workspaceRestoreCommand,
    workspaceTemplatesListCommand,
    workspaceTemplatesExportCommand,
    userListCommand,
    userInviteCommand,
    userInvitationsCommand,
    userUninviteCommand,
    userAcceptCommand,
    userDeclineCommand,
    userRolesCommand,
    userRoleSetCommand,
    userRoleCreateCommand,
    userRoleDeleteCommand,
    userRulesCommand,
    userRuleSetCommand,
    userRuleDeleteCommand,
    userRemoveCommand,
    userLeaveCommand,
    userDisableCommand,
    userEnableCommand,
    userRevokeTokensCommand,
    userResetFactorsCommand,
    userProvisionMeCommand,
    userCanCommand,
    initCommand,
    devCommand,
    templateCheckCommand,
    goferRefreshCommand,
    deploySetupCommand,
    deployTriggerCommand,
    deployStatusCommand,
    doctorCommand,
    updateCommand,
    envPullCommand,
    envListCommand,
    envPushCommand,
    accountSessionsCommand,
    accountSignOutCommand,
    accountPasswordCommand,
    accountFactorsListCommand,
    accountFactorsAddCommand,
    accountFactorsConfirmCommand,
    accountFactorsRemoveCommand,
    accountFactorsCodesCommand,
    auditListCommand,
    auditVerifyCommand,
    auditExportCommand,
    keyListCommand,
    keyCreateCommand,
    keyRoleCommand,
    keyRevokeCommand,
    typesValidateCommand,
    typesDiffCommand,
    typesSeedCommand,
    typesPullCommand,
    typesDefineCommand,
    resourcesListCommand,
    resourcesGetCommand,
    resourcesCreateCommand,
    resourcesUpdateCommand,
    resourcesDeleteCommand,
    resourcesHistoryCommand,
    resourcesQueryCommand,
    resourcesSearchCommand,
    resourcesAggregateCommand,
    resourcesBatchCreateCommand,
    resourcesBatchUpdateCommand,
    resourcesBatchDeleteCommand,
    resourcesFileUploadCommand,
    resourcesFileGetCommand,
    resourcesFileDeleteCommand,
    resourcesSchemaCommand,
    resourcesStorageStatusCommand,
    resourcesStorageDoctorCommand,
    resourcesDoctorCommand,
    resourcesSyncSchemaCommand,
    resourcesIndexesPlanCommand,
    resourcesIndexesApplyCommand,
    provisionEntraCommand,
    provisionStorageCommand,
    docsUploadCommand,
    docsClassifyCommand,
    docsJobCommand,
    docsRetryCommand,
    docsCancelCommand,
    docsIndexCommand,
    docsListCommand,
    docsGetCommand,
    docsContentCommand,
    docsOpenCommand,
    docsDeleteCommand,
    docsConfigureTypeCommand,
    docsReviewListCommand,
    docsReviewAcceptCommand,
    docsReviewCorrectCommand,
    docsSearchCommand,
    classifierListCommand,
    classifierGetCommand,
    classifierPutCommand,
    classifierTrainCommand,
    classifierTargetCommand,
    understandingSchemaCommand,
    understandingValidateCommand,
    understandingCapabilitiesCommand,
    understandingPlanCommand,
    understandingApplyCommand,
    understandingStatusCommand,
    chatCommand,
    chatSendCommand,
    chatStreamCommand,
    chatListCommand,
    chatShowCommand,
    chatRenameCommand,
    chatExportCommand,
    chatDeleteCommand,
    appListCommand,
    appCreateCommand,
    appSelectCommand,
    appProvisionCommand,
    workflowProvisionCommand,
    workflowReadinessCommand,
    workflowStatusCommand,
    workflowRequestCommand,
    ...publicapiCommands,
    mcpCommand,
    blocksListCommand,
    blocksDescribeCommand,
    blocksReadinessCommand,
    blocksSchemaCommand,
    blocksValidateCommand,
    serveCommand,
    serveTokenCommand,
    serveBackupCommand,
    serveRestoreCommand,
    serveDoctorCommand,
    serveMigrateCommand,
    serveRotateKeyCommand,
    serveRotateSigningKeyCommand,
    serveQuotaListCommand,
    serveQuotaSetCommand,
    demoCommand,
    verifyCommand,
    verifyStorageCommand,
    verifyCallsCommand,
    verifyIsolationCommand,
    supportCommand,
    errorsCommand,
    completionCommand,
    manCommand,
  ],
};
