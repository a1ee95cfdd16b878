import { inFile } from "./rows.ts";

/** The tests of each promise of `docs/security.md`, which begins with these words. */
export type Promises = Readonly<Record<string, readonly string[]>>;

const server = (path: string, ...names: readonly string[]) => inFile(`server/${path}`, ...names);
const domain = (path: string, ...names: readonly string[]) => server(`domains/${path}`, ...names);

export const platformPromises: Promises = {
  "A caller sees and changes nothing of a workspace": [
    ...server(
      "isolation",
      "answers a stranger as if the workspace did not exist > $id",
      "answers the same to the installation's administrator without a membership > $id",
    ),
    ...server(
      "isolation-matrix",
      "of a %s, in every place of every route",
      "a cursor, a key of an earlier request and a signed link are of one workspace",
    ),
    ...inFile(
      "commands/verify/isolation",
      "verify isolation finds a platform that shows a foreign record",
    ),
  ],
  "The capabilities catalog": domain(
    "capabilities/each-caller",
    "are those of the catalog and of evaluate, on each route",
  ),
  "A field or type that the caller's role may not read": [
    ...domain(
      "records/rights/matrix",
      "a field that %s reads does not exist for lower roles",
      "a type that %s reads does not exist for lower roles",
    ),
    ...domain(
      "records/rights/definitions",
      "a right is widened only by a role that has it",
      "values of a removed field stay hidden, in records and in their histories",
    ),
    ...domain(
      "records/rights/attacks",
      "the order and the scores of a search do not tell what a hidden field has",
    ),
  ],
  "Records that configure workflows and apps": domain(
    "records/routes/configuration-types",
    "staff change no %s by any route",
  ),
  "On PostgreSQL the database itself": server(
    "database/postgresql/dropped-filters",
    "read nothing of another one, which they do without row-level security",
  ),
  "PgBouncer in session or transaction mode": server(
    "database/postgresql/pooler",
    "keeps each statement in its scope in %s",
    "leaves no scope and no setting in a session that clients share",
    "is refused in statement mode, with the setting that PgBouncer needs",
  ),
  "A failover of PostgreSQL": domain(
    "health/conditions",
    "is 503 while writes are refused, as a standby refuses them",
  ),
  "One platform opens at most 20 connections": server(
    "database/postgresql/connections",
    "are at most 20 for one platform, and close when they are unused",
    "serve workspaces in turn",
  ),
  "Only tokens that the platform issued": [
    ...domain(
      "tokens/service",
      "with %s is refused",
      "without a signature is refused: %j",
      "signed with another key is refused, also with its own key in the header",
      "that has expired is refused as expired, also after it was verified",
    ),
    ...domain(
      "tokens/external-issuer",
      "a forged token of an external provider > is refused with $name",
    ),
    ...domain(
      "sign-in/token-endpoints",
      "with a code and PKCE > can use a code only once: a second use revokes the tokens of the first one",
      "with a code and PKCE > cannot use a code with another verifier or after a minute",
    ),
    ...domain(
      "sign-in/grants",
      "a code that was intercepted gets no token > with %s",
      "a mixed-up answer is refused by a strict client > with %s",
    ),
  ],
  "A group of an external provider": domain(
    "members/group-rules/rules",
    "give a role by a group > and not with %s",
    "of a token > that is older than the newest one change nothing",
    "of a token > of another user with the same unverified address grant that user only",
    "leave alone > a membership that was accepted, with the group and without it",
    "leave alone > the last admin",
  ),
  "An address of a member takes no permission": [
    ...domain(
      "members/invitations",
      "give a role > with fewer permissions to a member only with force",
    ),
    ...inFile(
      "commands/user",
      "user invite of a member > lowers the role only with --force, and says what changed",
    ),
  ],
  "Passwords, tokens and keys are stored as hashes": [
    ...server(
      "platform/key-file",
      "is made at the first start, and the database has no secret in clear",
    ),
    ...domain("members/keys/store", "have no token in the database, nor in a repeated answer"),
    ...domain(
      "members/invitation-store",
      "have no secret in a repeated answer, nor anywhere in the database",
    ),
    ...domain(
      "factors/flows",
      "the database and its files have no secret of an app and no recovery code",
    ),
  ],
  "Every change and every refused try": inFile(
    "commands/audit-cuts",
    "finds a log that was cut at %s, with a head that fits",
    "finds a cut at %s by an earlier head, whatever the database says",
    "finds a changed entry that a forged entry of an erasure names",
    "finds a log that was removed as a whole and began again",
  ).concat(
    domain("audit/audit", "is chained: a changed, removed or moved entry is found"),
    domain("audit/audit", "has refused tries of members, strangers and callers without a token"),
  ),
  "Each write has its own audit entry": server(
    "work/callers-at-once",
    "leave each write its own entry in the log and its event in the feed of its workspace",
    "get the answer of the key of their caller, though all use the same keys",
    "are refused only by the quota of the workspace that they write to",
    "the writes of these callers > are those of every route that writes, but for those with a reason",
  ),
  "Callers without an account": [
    ...server("http/trusted-proxies", "the address of a caller > %s"),
    ...server("kit/turns/caller-network", "callers at %s are limited as %s"),
    ...domain(
      "sign-in/password-throttle",
      "is limited per network address, of IPv6 per network of 64 bits",
    ),
  ],
  "Platforms of one PostgreSQL database limit": [
    ...domain(
      "quotas/several-platforms",
      "of requests holds for %d on all together, %d at once",
      "is limited for a caller of all together",
    ),
    ...domain(
      "sign-in/several-platforms",
      "is slowed down by the attempts on all of them",
      "in parallel finds no password after too many failures",
    ),
  ],
  "A change of roles, keys, accounts": server(
    "platform/platforms-at-once",
    "agree on the role of a member",
    "agree on a key that is revoked",
    "agree on the tokens of an account that are revoked",
    "agree on a grant that is revoked",
    "agree on a workspace that is deleted and restored",
    "agree on the definition of an Object Type",
    "accept no write after the answer to a workspace's deletion",
    "give an admin whose removal has not reached them yet nothing that lasts",
    "have the database's time, whatever the clocks of their machines are",
  ),
  "The API keys that a person made": domain(
    "members/keys/made-keys",
    "end with the membership of their maker, each where the workspace may end it",
    "stay where the admin keeps them",
    "have at most the new role after a demotion, and the answer names them",
    "get no permission by a demotion: a key with another role ends",
  ),
  "A keyed request that meets its repetition": [
    ...domain(
      "idempotency/several-platforms",
      "of requests that meet is in progress for one of them, also with a unique value",
    ),
    ...domain(
      "chat/platforms/shared-answers",
      "is read on the other one while it is written, and afterwards",
      "is stopped from the other one, and keeps its text so far",
      "refuses a second one of the conversation on the other one",
      "ends for its readers when its platform is gone, and another one may follow",
    ),
  ],
  "A database that goes away": [
    ...server(
      "platform/storage-away",
      "goes on, answers 503, and serves again when the storage is back",
    ),
    ...inFile(
      "architecture/background",
      "the lint of the platform accepts no promise that is discarded",
      "the platform starts work in the background with one helper",
    ),
  ],
  "Health is 503 with the part": [
    ...domain(
      "health/conditions",
      "names the tables that are gone",
      "is 503 with %s",
      "is degraded for ten minutes after a request that met damaged data",
      "health on sqlite > no write is acknowledged into a database that was %s",
    ),
    ...inFile(
      "e2e/failing-disk",
      "is 503 with the part and the next step, and reads what it acknowledged",
      "a platform whose files may not grow > is 503 with the part and the next step, and reads what it acknowledged",
    ),
  ],
  "An acknowledged write survives": [
    ...inFile(
      "e2e/drills",
      "ten clients who all count up one record > lose nothing on sqlite",
      "ten clients who all count up one record > lose nothing on postgresql",
      "a platform that is killed under load > keeps every write that it acknowledged, and half of none",
    ),
    ...inFile("e2e/disk-drills", "keeps what it acknowledged on $name"),
    ...inFile(
      "e2e/killed-changes",
      "leaves provisionings, purges, invitations and acceptances whole or absent after $delayMs ms",
    ),
    ...inFile(
      "e2e/full-disk",
      "refuses writes with 507, reads on, leaves nothing half made, and writes again with room",
    ),
  ],
  "A stream of changes ends": [
    ...domain(
      "realtime/held-roles",
      "a role of the workspace that loses or gains a permission ends its streams",
    ),
    ...domain(
      "realtime/stream-ends",
      "ends when the right to it ends, whatever ended it, and others stay open",
    ),
    ...domain("alerts/cause", "only admins see alerts about webhook endpoints"),
    ...domain("alerts/visible-rules", "exists only for builders who may read it"),
  ],
  "A call from outside reaches": domain(
    "webhook-sources/mapping",
    "a hostile mapping > %s has no effect, and the error says why",
  ),
  "A quota holds for every way in": domain(
    "quotas/service",
    "of records refuses one more, until one is deleted",
    "of records counts the rows of a table",
    "of records refuses an archive with more than it leaves",
    "of bytes refuses a file that would pass it",
    "of documents holds for a workspace that only the form names",
  ),
  "A small file cannot take": [
    ...domain(
      "archives/import/import-items",
      "an entry with very many lines comes as items of a bounded number",
    ),
    ...domain("geo/datasets/formats/xml", "%s without an end is refused, not kept"),
    ...domain("geo/datasets/formats/csv", "a row without an end is refused, not kept"),
    ...inFile(
      "lib/geometry/ring-faults",
      "a polygon whose edges would be compared for seconds is refused instead",
    ),
    ...server(
      "text/extraction/formats/zip",
      "zip containers > a bomb is refused before it is unpacked",
    ),
  ],
  "A large valid geometry": [
    ...inFile(
      "lib/geometry/ring-faults",
      "a check of a polygon with many positions has many parts",
    ),
    ...server(
      "http/body/large-json",
      "a JSON body is read in six parts, so that a large one leaves ticks to others",
    ),
  ],
  "Webhook endpoints that do not answer": domain(
    "webhooks/lanes/room",
    "24 silent endpoints take nothing of the room of those that answer",
    "an endpoint that stops answering leaves the lane, and its attempts give their room back",
  ).concat(
    domain(
      "webhooks/hostile-endpoints",
      "reach nothing inside, lose nothing, and do not stop the deliveries of others",
    ),
  ),
  "One request, and one workspace": [
    ...server(
      "kit/turns/fair-queue",
      "shares have turns, and so have the callers of a share, each in its own order",
      "a share whose work costs five turns misses four of them",
    ),
    ...server(
      "kit/turns/permits",
      "shares are served in turn, each in its own order",
      "a caller that waits too long, or one too many of a share, is refused; one that leaves frees its place",
    ),
  ],
  "Documents are read in a child process": [
    ...server(
      "text/extraction/child/watched-child",
      "a harmful child is killed > an endless loop times out",
      "a harmful child is killed > a PDF that unpacks twice exceeds the memory limit",
      "a harmful child is killed > a child that takes 400 MiB is killed without any option",
    ),
    ...server(
      "text/extraction/child/kept-children",
      "documents of one workspace share a child, another workspace has its own",
    ),
  ],
  "A purge leaves no row": domain(
    "purges/service",
    "leaves nothing of the workspace, and all of others",
    "removes what a late request wrote, and counts it",
  ),
  "An erasure leaves no value": [
    ...domain(
      "erasures/service",
      "leaves nothing of a record, its history, files, words, answers and paths",
      "leaves nothing of a document, also of one in the trash",
      "removes the archives that may have the record, and no later one",
    ),
    ...server(
      "platform/backup/erasure-lists",
      "a restored backup erases and purges again what was erased since, before it serves",
    ),
  ],
  "An account with a second factor": domain(
    "factors/service",
    "is asked for after the password, and each code signs in once",
    "one code sent by two browsers at once signs in one of them",
    "wrong codes make the next try wait, from every address, also with the right code",
    "the step after the password needs its own proof, for ten minutes",
  ).concat(
    domain("factors/recovery-codes", "a recovery code signs in once, in any case and grouping"),
  ),
  "A passkey signs in only": domain(
    "factors/passkeys",
    "answers a challenge once, also when it does not count",
    "of another origin, host, user, purpose or without its user is refused",
    "that counts back is a copy, and is refused",
  ).concat(inFile("e2e/second-factor", "a passkey is added, and is asked for after the password")),
  "Where the operator requires": domain(
    "factors/new-factor",
    "an admin adds an app in the sign-in, which then goes on",
    "others sign in with the password, until they become admins",
    "a new account adds one at its first sign-in after the invitation",
  ),
  "Only the present password": domain(
    "factors/service",
    "removal needs the password; the last one takes the recovery codes with it",
  ).concat(
    domain(
      "factors/passkeys",
      "the page needs a sign-in of the last ten minutes, and removes and renews",
    ),
  ),
  "A forgotten password is replaced": domain(
    "sign-in/password-resets",
    "is replaced by the link of a mail, which greets by name and works once",
    "gets the same page without a mail where no account may reset one",
    "has a link until 30 minutes later, or until the password changes",
    "leaves the second factor: the sign-in after it asks for its code",
    "has no link to a host that only a request has named",
  ),
  "An invitation makes a member": domain(
    "members/invitations",
    "give a role > only once they are accepted",
    "give a role > once: a used secret is void",
    "give a role > to no account that another workspace's admin has made",
    "end > after seven days",
  ),
  "A scheduled backup has no readable text": [
    ...server(
      "platform/backup/place/sealed-objects",
      "a platform that has the public key only can't read what it has stored",
    ),
    ...server(
      "platform/backup/sets/verify-set",
      "finds a flipped bit in any of its objects, and an object that is missing",
    ),
    ...server(
      "platform/backup/sets/take-set",
      "that is stopped anywhere does not exist, and leaves the others as they are",
    ),
    ...server(
      "platform/backup/schedule/backup-process",
      "a process takes and checks a backup; one that is killed leaves no backup",
    ),
  ],
};
