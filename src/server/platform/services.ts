import { given } from "#lib/given.ts";
import { version } from "#lib/version.ts";
import { Enrollments } from "../domains/apps/enrollments.ts";
import { provisioningJobKind, provisioningWork } from "../domains/apps/provisioning.ts";
import { AppService } from "../domains/apps/service.ts";
import type { WorkflowGate } from "../domains/workflow-gate.ts";
import { WorkflowService } from "../domains/workflows/service.ts";
import type { Quotas } from "../domains/quotas/service.ts";
import { AuditSeals } from "../domains/audit/seals.ts";
import type { AuditLog } from "../domains/audit/service.ts";
import { answerEngine } from "../domains/chat/generative/generative-answers.ts";
import { ChatService } from "../domains/chat/service.ts";
import { createDocuments } from "./documents.ts";
import { createReceivers } from "./intake/receivers.ts";
import { createStreams, type StreamUses } from "./streams.ts";
import { toolAccess } from "./tool-access.ts";
import { createUnderstanding } from "./understanding.ts";
import { Locations } from "../domains/geo/service.ts";
import type { Erasures } from "../domains/erasures/service.ts";
import { HealthService } from "../domains/health/service.ts";
import { ListCursors } from "../kit/lists/cursors.ts";
import { ObjectTypeService } from "../domains/object-types/service.ts";
import { IndexMaintenance } from "../domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "../search-index/word-list.ts";
import { ResourceFiles } from "../domains/records/files/files.ts";
import { SlowFilters } from "../domains/records/read/slow-filters.ts";
import { ResourceService, startSweep } from "../domains/records/service.ts";
import { StarterTemplates } from "../domains/starter-templates/service.ts";
import { StorageService } from "../domains/storage/service.ts";
import { WorkspaceRemoval } from "../domains/workspaces/removal.ts";
import { WorkspacePurges } from "../domains/purges/service.ts";
import { CapabilityService } from "../domains/capabilities/service.ts";
import { AccessService } from "../domains/members/access.ts";
import { Invitations } from "../domains/members/invitations.ts";
import type { Mailer } from "../kit/mail/mail.ts";
import { smtpMailer } from "../kit/mail/smtp-mailer.ts";
import type { PlatformOptions } from "./options.ts";
import { MemberList } from "../domains/members/member-list.ts";
import { RoleDefinitions } from "../domains/members/roles.ts";
import { IdpApps } from "../domains/idp-apps/service.ts";
import { GroupRules, MemberService, ServiceKeys } from "../domains/members/service.ts";
import { renameMember } from "../domains/members/store.ts";
import { Accounts } from "../domains/sign-in/accounts.ts";
import { WorkspaceService } from "../domains/workspaces/service.ts";
import type { PlatformBase } from "../domains/base.ts";
import { EmbeddingWork } from "../domains/documents/embedding/embedding-work.ts";
import { PassageFinder } from "../domains/documents/search/find-passages.ts";
import type { QuotaPort } from "../work/ports.ts";
import { IdentityService, type ExternalIdentity } from "../domains/identity/service.ts";
import { Passwords } from "../domains/identity/passwords.ts";
import { Attempts } from "../domains/sign-in/attempts.ts";
import { deleteSessionsOf } from "../domains/sign-in/store.ts";
import { Factors, Passkeys } from "../domains/factors/service.ts";
import { SignInService } from "../domains/sign-in/service.ts";
import { ExternalIssuer } from "../domains/tokens/external-issuer.ts";
import { SigningKeys } from "../domains/tokens/signing-keys.ts";
import { TokenService } from "../domains/tokens/service.ts";
import type { Transaction } from "../work/work.ts";

export interface AccountServices {
  readonly access: AccessService;
  readonly identity: IdentityService;
  readonly tokens: TokenService;
  readonly signIn: SignInService;
  readonly factors: Factors;
  readonly accounts: Accounts;
  readonly roles: RoleDefinitions;
  readonly invitations: Invitations;
  readonly keys: ServiceKeys;
  readonly groupRules: GroupRules;
  readonly idpApps: IdpApps;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  /** False with an external provider. */
  readonly hasPasswords: boolean;
}

/** How often the age of the signing keys is looked at. */
const keyMaintenanceMs = 60 * 60 * 1000;

interface AccountOptions extends Pick<
  PlatformOptions,
  "authUrl" | "authRegistration" | "factorRule" | "smtpUrl"
> {
  readonly acceptsIssuer: (issuer: string) => boolean;
  readonly configuredUrl: () => string | undefined;
}

/** Signs users in with passwords, or with the external provider at `authUrl`. */
export async function createAccounts(
  base: PlatformBase,
  options: AccountOptions,
): Promise<AccountServices> {
  const { platformWork, feed, now, lifetime, secrets, changes } = base;
  const { authUrl, smtpUrl } = options;
  const mailer = smtpUrl === undefined ? undefined : smtpMailer(smtpUrl);
  const access = new AccessService({ platformWork, feed, changes: changes.access });
  const passwords = new Passwords();
  const identity = new IdentityService({
    platformWork,
    access,
    passwords,
    now,
    onRenamed: renameMember,
  });
  const roles = new RoleDefinitions(now);
  const keyCursors = new ListCursors(secrets.for("keys"));
  const serviceKeys = new ServiceKeys({ platformWork, access, roles, cursors: keyCursors, now });
  const groupRules = new GroupRules({
    platformWork,
    roles,
    cursors: new ListCursors(secrets.for("group rules")),
    now,
    issuer: authUrl,
  });
  const tokens = await createTokens(base, options, { access, identity, serviceKeys, groupRules });
  const invitations = new Invitations({
    platformWork,
    identity,
    roles,
    cursors: new ListCursors(secrets.for("invitations")),
    now,
    logger: base.logger,
    lifetime,
    mailer,
    hasPages: authUrl === undefined,
  });
  const idpApps = new IdpApps({
    platformWork,
    cursors: new ListCursors(secrets.for("idp apps")),
    now,
    isProvider: authUrl === undefined,
  });
  const signIns = { access, tokens, passwords, invitations, apps: idpApps, mailer };
  return {
    roles,
    invitations,
    keys: serviceKeys,
    groupRules,
    idpApps,
    access,
    identity,
    tokens,
    mailer,
    ...createSignIn(base, options, signIns),
    hasPasswords: authUrl === undefined,
  };
}

async function createTokens(
  { platformWork, feed, now, limits, lifetime, secrets, changes }: PlatformBase,
  { authUrl, authRegistration, acceptsIssuer }: AccountOptions,
  parts: Pick<AccountServices, "access" | "identity" | "groupRules"> & {
    readonly serviceKeys: ServiceKeys;
  },
): Promise<TokenService> {
  const { access, identity, groupRules, serviceKeys } = parts;
  const keys = await SigningKeys.load({ work: platformWork("signing keys"), secrets, now });
  const keyAgeMs = limits.signingKeySeconds * 1000;
  lifetime.every(keyMaintenanceMs, "signing-key-failed", () => keys.maintain(keyAgeMs));
  const external =
    authUrl === undefined
      ? undefined
      : {
          issuer: new ExternalIssuer(authUrl, now, authRegistration?.audience),
          async userOf(identified: ExternalIdentity) {
            const user = await identity.externalUser(identified);
            await groupRules.signIns.apply(user, identified);
            return user;
          },
        };
  return new TokenService({
    serviceKeys,
    platformWork,
    feed,
    keys,
    access,
    now,
    revocations: changes.grants,
    acceptsIssuer,
    ...given({ external }),
  });
}

function createSignIn(
  { platformWork, now, limits, lifetime, secrets, logger }: PlatformBase,
  { authUrl, factorRule: rule, configuredUrl }: AccountOptions,
  parts: Pick<AccountServices, "access" | "tokens" | "invitations"> & {
    readonly passwords: Passwords;
    readonly apps: IdpApps;
    readonly mailer: Mailer | undefined;
  },
): Pick<AccountServices, "signIn" | "factors" | "accounts"> {
  const freeAttempts = limits.passwordAttempts;
  const attempts = new Attempts({ platformWork, freeAttempts, now, lifetime });
  const factors = new Factors({
    platformWork,
    access: parts.access,
    secrets,
    attempts,
    now,
    lifetime,
    endSessions: deleteSessionsOf,
    rule,
  });
  const passkeys = new Passkeys({ platformWork, factors, now });
  const signIn = new SignInService({
    ...parts,
    factors,
    passkeys,
    attempts,
    platformWork,
    secrets,
    limits,
    now,
    lifetime,
    logger,
    configuredUrl,
  });
  const accounts = new Accounts({
    now,
    cursors: new ListCursors(secrets.for("sessions")),
    accessTokenSeconds: limits.accessTokenSeconds,
    factors,
    passwords: parts.passwords,
    hasPasswords: authUrl === undefined,
  });
  return { signIn, factors, accounts };
}

function createWorkspaces(
  base: PlatformBase,
  parts: {
    readonly objectTypes: ObjectTypeService;
    readonly starterTemplates: StarterTemplates;
  },
): WorkspaceService {
  const seals = new AuditSeals(base);
  const sealLog = (tx: Transaction, workspaceId: string) => seals.seal(tx, workspaceId);
  return new WorkspaceService({ ...parts, now: base.now, sealLog });
}

/** Builds every domain's service in the order of their dependencies, and recovers after a crash. */
export async function createServices(
  base: PlatformBase,
  accounts: AccountServices,
  uses: StreamUses & Pick<QuotaPort, "admit">,
) {
  const { platformWork, now, secrets, lifetime } = base;
  const { access, invitations, roles } = accounts;
  const starterTemplates = new StarterTemplates();
  const capabilities = new CapabilityService(access);
  await invitations.recover();
  const { words, indexes, objectTypes, slowFilters, resources } = createRecords(base);
  const workspaces = createWorkspaces(base, { objectTypes, starterTemplates });
  const files = new ResourceFiles(base, objectTypes, (id) => access.isLiving(id));
  await base.removals.recover();
  startSweep(base, platformWork("what can no longer be restored"), () => base.removals.wake());
  const passages = new PassageFinder(base);
  const embedding = new EmbeddingWork(base);
  // Workflows count the questions of chats, which ask them back.
  const gate: WorkflowGate = (...used) => workflows.gate(...used);
  const chat = createChat(base, { resources, passages, capabilities, gate });
  const workflows = new WorkflowService({ records: resources, chat, now });
  const storage = new StorageService(base, { objectTypes, indexes, slowFilters, embedding });
  lifetime.onClose(() => storage.stop());
  const made = { workspaces, objectTypes, starterTemplates, storage };
  const provisioning = { platformWork, enrollments: new Enrollments(resources), ...made };
  const receivers = createReceivers(
    base,
    { ...accounts, admit: uses.admit },
    { objectTypes, readQuota: uses.readQuota },
  );
  const understanding = createUnderstanding(base, resources);
  const { documents, jobs } = await createDocuments(
    base,
    { records: resources, passages, words, gate },
    understanding,
    { [provisioningJobKind]: provisioningWork(provisioning), ...receivers.kinds },
  );
  const parts = { objectTypes, records: resources, ...uses };
  const streams = await createStreams(base, accounts, parts);
  const reportRuns = receivers.runWith(jobs, { ...parts, words, roles, ...streams });
  embedding.start();
  const { purges, removal } = await createRemoval(base, (workspaceId) => {
    for (const part of [objectTypes, words, slowFilters]) part.forgetWorkspace(workspaceId);
    documents.stopWork(workspaceId);
  });
  return {
    ...accounts,
    storage,
    health: new HealthService({ ...base, version }),
    starterTemplates,
    workspaces,
    purges,
    removal,
    members: new MemberService(roles, now),
    memberList: new MemberList(new ListCursors(secrets.for("members"))),
    capabilities,
    objectTypes,
    resources,
    files,
    documents,
    chat,
    apps: new AppService({ now, jobs, ...provisioning }),
    workflows,
    locations: Locations.of(parts, receivers.services.geoDatasets.places),
    ...receivers.services,
    reportRuns,
    ...streams,
    ...understanding.services(jobs),
  };
}

function createChat(
  base: PlatformBase,
  parts: {
    readonly resources: ResourceService;
    readonly passages: PassageFinder;
    readonly capabilities: CapabilityService;
    readonly gate: WorkflowGate;
  },
): ChatService {
  const { resources, passages, capabilities, gate } = parts;
  return new ChatService(base, {
    records: resources,
    passages,
    engine: answerEngine(base.models),
    gate,
    access: toolAccess({ capabilities, resources }),
  });
}

function createRecords(base: PlatformBase) {
  const { platformWork, feed, merged, now, secrets, logger, lifetime, changes, limits } = base;
  const words = new SearchWords(platformWork);
  const indexes = new IndexMaintenance({ platformWork, words, logger, now });
  lifetime.onClose(() => indexes.stop());
  const objectTypes = new ObjectTypeService({
    platformWork,
    feed,
    now,
    cursors: new ListCursors(secrets.for("object types")),
    records: indexes,
    changes: changes.objectTypes,
  });
  const slowFilters = new SlowFilters({ thresholdMs: limits.slowFilterMs });
  const resources = new ResourceService({
    merged,
    ids: changes.ids,
    objectTypes,
    words,
    now,
    cursors: new ListCursors(secrets.for("resources")),
    slowFilters,
    trashDays: limits.trashDays,
    answers: base.answers,
    onFilesReleased: () => base.removals.wake(),
  });
  return { words, indexes, objectTypes, slowFilters, resources };
}

async function createRemoval(base: PlatformBase, forget: (workspaceId: string) => void) {
  const { platformWork, now, lifetime, limits } = base;
  const purges = new WorkspacePurges({ ...base, emptyLog: base.database.emptyLog, forget });
  const restorableMs = limits.restorableSeconds * 1000;
  const removal = new WorkspaceRemoval({ platformWork, now, lifetime, purges, restorableMs });
  await purges.recover();
  removal.start();
  return { purges, removal };
}

export type Services = Awaited<ReturnType<typeof createServices>> & {
  readonly audit: AuditLog;
  readonly quotas: Quotas;
  readonly erasures: Erasures;
};
