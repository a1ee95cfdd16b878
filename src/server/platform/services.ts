import type { JsonObject } from "#contract/values.ts";
import { version } from "#lib/version.ts";
import { Enrollments } from "../domains/apps/enrollments.ts";
import { provisioningJobKind, provisioningWork } from "../domains/apps/provisioning.ts";
import { AppService } from "../domains/apps/service.ts";
import { WorkflowService } from "../domains/workflows/service.ts";
import type { Quotas } from "../domains/quotas/service.ts";
import type { AuditLog } from "../domains/audit/service.ts";
import { answerEngine } from "../domains/chat/generative/generative-answers.ts";
import { ChatService } from "../domains/chat/service.ts";
import { createDocuments } from "./documents.ts";
import { createUnderstanding } from "./understanding.ts";
import { Locations } from "../domains/geo/service.ts";
import { HealthService } from "../domains/health/service.ts";
import { ListCursors } from "../http/lists/cursors.ts";
import { ObjectTypeService } from "../domains/object-types/service.ts";
import { IndexMaintenance } from "../domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "../domains/search/service.ts";
import { ResourceFiles } from "../domains/records/files/files.ts";
import { SlowFilters } from "../domains/records/read/slow-filters.ts";
import { ResourceService } from "../domains/records/service.ts";
import { StarterTemplates } from "../domains/starter-templates/service.ts";
import { StorageService } from "../domains/storage/service.ts";
import { WorkspaceRemoval } from "../domains/workspaces/removal.ts";
import { WorkspacePurges } from "../domains/purges/service.ts";
import { CapabilityService } from "../domains/capabilities/service.ts";
import { AccessService } from "../domains/members/access.ts";
import { Invitations } from "../domains/members/invitations.ts";
import type { Mailer } from "../domains/members/mail.ts";
import { MemberList } from "../domains/members/member-list.ts";
import { RoleDefinitions } from "../domains/members/roles.ts";
import { IdpApps } from "../domains/idp-apps/service.ts";
import {
  GroupRules,
  MemberService,
  renameMember,
  ServiceKeys,
} from "../domains/members/service.ts";
import { Accounts } from "../domains/sign-in/accounts.ts";
import { WorkspaceService } from "../domains/workspaces/service.ts";
import { platformWide } from "../database/platform-wide.ts";
import type { PlatformBase } from "../domains/base.ts";
import { EmbeddingWork } from "../domains/documents/embedding/embedding-work.ts";
import { PassageFinder } from "../domains/documents/search/find-passages.ts";
import { IdentityService } from "../domains/identity/service.ts";
import { Passwords } from "../domains/identity/passwords.ts";
import { PasswordThrottle } from "../domains/sign-in/password-throttle.ts";
import { deleteSessionsOf } from "../domains/sign-in/store.ts";
import { Factors, Passkeys, type FactorRule } from "../domains/factors/service.ts";
import { SignInService } from "../domains/sign-in/service.ts";
import { ExternalIssuer } from "../domains/tokens/external-issuer.ts";
import { SigningKeys } from "../domains/tokens/signing-keys.ts";
import { TokenService } from "../domains/tokens/service.ts";
import type { Work } from "../work/work.ts";

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
  /** False with an external provider. */
  readonly hasPasswords: boolean;
}

/** How often the age of the signing keys is looked at. */
const keyMaintenanceMs = 60 * 60 * 1000;

/** Signs users in with passwords, or with the external provider at `authUrl`. */
export async function createAccounts(
  base: PlatformBase,
  options: {
    readonly authUrl: string | undefined;
    readonly acceptsIssuer: (issuer: string) => boolean;
    readonly mailer: Mailer | undefined;
    readonly factorRule: FactorRule | undefined;
  },
): Promise<AccountServices> {
  const { database, now, limits, lifetime, secrets, changes } = base;
  const { authUrl, acceptsIssuer, mailer } = options;
  // Users, roles and invitations span workspaces: they decide who may enter one.
  const everywhere = platformWide(database);
  const keys = await SigningKeys.load({ database: everywhere, secrets, now });
  const keyAgeMs = limits.signingKeySeconds * 1000;
  lifetime.every(keyMaintenanceMs, "signing-key-failed", () => keys.maintain(keyAgeMs));
  const access = new AccessService({ database: everywhere, now, changes: changes.access });
  const passwords = new Passwords();
  const identity = new IdentityService({
    database: everywhere,
    access,
    passwords,
    now,
    onRenamed: renameMember,
  });
  const roles = new RoleDefinitions({ database, access, now });
  const keyCursors = new ListCursors(secrets.for("keys"));
  const serviceKeys = new ServiceKeys({
    database: everywhere,
    access,
    roles,
    cursors: keyCursors,
    now,
  });
  const groupRules = new GroupRules({
    database: everywhere,
    own: database.read,
    access,
    roles,
    cursors: new ListCursors(secrets.for("group rules")),
    now,
    issuer: authUrl,
  });
  const tokens = new TokenService({
    serviceKeys,
    database,
    keys,
    access,
    now,
    revocations: changes.grants,
    acceptsIssuer,
    ...(authUrl === undefined
      ? {}
      : {
          external: {
            issuer: new ExternalIssuer(authUrl, now),
            async userOf(external) {
              const user = await identity.externalUser(external);
              await groupRules.signIns.apply(user, external);
              return user;
            },
          },
        }),
  });
  const invitations = new Invitations({
    database: everywhere,
    own: database.read,
    unkeyedDatabase: base.unkeyedDatabase,
    access,
    identity,
    roles,
    cursors: new ListCursors(secrets.for("invitations")),
    now,
    logger: base.logger,
    lifetime,
    mailer,
    hasPages: authUrl === undefined,
  });
  base.caches.onChange((row) => {
    if (row.noun === "grants") tokens.forgetGrants(row.key);
  });
  const idpApps = new IdpApps({
    platformWork: base.platformWork,
    cursors: new ListCursors(secrets.for("idp apps")),
    now,
    isProvider: authUrl === undefined,
  });
  const factors = new Factors({
    database: everywhere,
    secrets,
    attempts: new PasswordThrottle(limits.passwordAttempts, () => now().getTime()),
    now,
    lifetime,
    endSessions: deleteSessionsOf,
    rule: options.factorRule,
  });
  const signIn = new SignInService({
    factors,
    passkeys: new Passkeys({ database: everywhere, factors, now }),
    apps: idpApps,
    database,
    access,
    tokens,
    passwords,
    secrets,
    limits,
    now,
    lifetime,
    invitations,
  });
  const accounts = new Accounts({
    database,
    access,
    tokens,
    now,
    cursors: new ListCursors(secrets.for("sessions")),
    accessTokenSeconds: limits.accessTokenSeconds,
  });
  return {
    accounts,
    roles,
    invitations,
    keys: serviceKeys,
    groupRules,
    idpApps,
    access,
    identity,
    tokens,
    signIn,
    factors,
    hasPasswords: authUrl === undefined,
  };
}

/** Builds every domain's service in the order of their dependencies, and recovers after a crash. */
export async function createServices(base: PlatformBase, accounts: AccountServices) {
  const { database, now, secrets, logger, lifetime } = base;
  const { access, invitations, roles } = accounts;
  const { blobs, blobProvider, room } = base;
  const health = new HealthService({ database, blobs, blobProvider, room, version, now, logger });
  const starterTemplates = new StarterTemplates();
  const members = new MemberService({ database, access, roles, now });
  const memberCursors = new ListCursors(secrets.for("members"));
  const memberList = new MemberList({ database, cursors: memberCursors });
  const capabilities = new CapabilityService(access);
  await invitations.recover();
  const typeCursors = new ListCursors(secrets.for("object types"));
  const { unkeyedDatabase } = base;
  const words = new SearchWords(unkeyedDatabase);
  const indexes = new IndexMaintenance({ database: unkeyedDatabase, words, logger, now });
  const objectTypes = new ObjectTypeService({
    database,
    unkeyedDatabase,
    now,
    cursors: typeCursors,
    records: indexes,
    changes: base.changes.objectTypes,
  });
  lifetime.onClose(() => indexes.stop());
  const workspaces = new WorkspaceService({
    // A tree spans workspaces.
    database: platformWide(database),
    access,
    objectTypes,
    starterTemplates,
    now,
  });
  const cursors = new ListCursors(secrets.for("resources"));
  const slowFilters = new SlowFilters({ thresholdMs: base.limits.slowFilterMs });
  const resources = new ResourceService({
    database,
    objectTypes,
    words,
    now,
    cursors,
    slowFilters,
    answers: base.answers,
    onFilesReleased: () => base.removals.wake(),
  });
  const files = new ResourceFiles(base, objectTypes, (id) => access.isLiving(id));
  await base.removals.recover();
  const passages = new PassageFinder(base);
  const embedding = new EmbeddingWork(base);
  const chat = new ChatService(base, {
    records: resources.lookup,
    passages,
    engine: answerEngine(base.models),
    access: {
      mayUse: (workspaceId, oid, capability) => capabilities.mayUse(workspaceId, oid, capability),
      searchRecords: (_work, workspaceId, query, limit, signal) =>
        resources.search.run(workspaceId, { query, limit, mode: "hybrid" }, signal),
    },
  });
  const storage = new StorageService(base, { objectTypes, indexes, slowFilters, embedding });
  lifetime.onClose(() => storage.stop());
  // Until these domains pass the work of their requests on.
  const workIn = (id: string): Work => base.platformWork("configuration records").within(id);
  const lookup = {
    findRecords: (id: string, type: string, where: JsonObject) =>
      resources.lookup.findRecords(workIn(id), id, type, where),
  };
  const enrollments = new Enrollments({ resources, lookup });
  const provisioning = { enrollments, workspaces, objectTypes, starterTemplates, storage };
  const understanding = createUnderstanding(base, resources.lookup);
  const { documents, jobs } = await createDocuments(
    base,
    { records: resources.lookup, passages, words },
    understanding,
    { [provisioningJobKind]: provisioningWork(provisioning) },
  );
  embedding.start();
  const conversations = {
    countQuestions: (id: string, workflowId: string, since: string) =>
      chat.conversations.countQuestions(workIn(id), id, workflowId, since),
  };
  const workflows = new WorkflowService({
    database,
    access,
    records: lookup,
    chat: { conversations },
    now,
  });
  const locations = new Locations({ objectTypes, search: resources.search });
  const apps = new AppService({ database, now, jobs, ...provisioning });
  const purges = new WorkspacePurges({
    ...base,
    database: unkeyedDatabase,
    forget(workspaceId) {
      for (const part of [objectTypes, words, slowFilters]) part.forgetWorkspace(workspaceId);
      documents.stopWork(workspaceId);
      access.forgetWorkspaces();
    },
  });
  const removal = new WorkspaceRemoval({
    ...base,
    database: unkeyedDatabase,
    access,
    purges,
    restorableMs: base.limits.restorableSeconds * 1000,
  });
  await purges.recover();
  removal.start();
  return {
    ...accounts,
    storage,
    health,
    starterTemplates,
    workspaces,
    purges,
    removal,
    members,
    memberList,
    capabilities,
    objectTypes,
    resources,
    files,
    documents,
    chat,
    apps,
    workflows,
    locations,
    ...understanding.services(jobs),
  };
}

export type Services = Awaited<ReturnType<typeof createServices>> & {
  readonly audit: AuditLog;
  readonly quotas: Quotas;
};
