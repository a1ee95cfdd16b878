import { textOption } from "#cli/command.ts";
import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import type { Cell, Request } from "./isolation/cells.ts";
import { tryCell, type Leak, type Seen } from "./isolation/compare.ts";
import { absentLike, gather, type Gathered } from "./isolation/gather.ts";

const requestMs = 15_000;
/** Cells at the same time: a deployment is checked, not loaded. */
const atOnce = 4;
/** Parameters that name no thing which a request could change. */
const scopes: ReadonlySet<string> = new Set(["tenantId", "parentId", "objectType"]);

export default command({
  path: "verify isolation",
  summary: "Check that a workspace shows nothing of another one",
  description:
    "As the user of this profile, it puts ids of another workspace into every place of every " +
    "route, and compares each answer with that for ids of nothing: both must be the same. The " +
    "user of --other-profile administers the other workspace, of which this user is no member. " +
    "In both, a record, a role, a key and a group rule are made and removed. Exits with 1 for a " +
    "difference.",
  arguments: [],
  options: {
    workspace: workspaceOption,
    "other-profile": {
      ...textOption("profile", "Profile of the other workspace's admin; `svc login --profile`"),
      required: true,
    },
    "other-workspace": textOption(
      "workspace",
      "The other workspace's ID or slug (default: the one that its profile selects)",
    ),
    writes: {
      type: "boolean",
      description:
        "Also send writes that name existing things: a deployment that leaks would change them",
    },
  },
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      tried: z.int(),
      leaks: z.array(
        z.strictObject({
          route: z.string(),
          place: z.string(),
          reason: z.string(),
          status: z.strictObject({ foreign: z.int(), absent: z.int() }),
        }),
      ),
      notTried: z.array(
        z.strictObject({ route: z.string(), place: z.string().nullable(), reason: z.string() }),
      ),
      left: z.array(z.string()),
    }),
  examples: ["svc verify isolation --other-profile tester"],
  trials: [{ words: "--other-profile tester", at: ["stub"] }],
  async run({ options }, context) {
    const { output, signal } = context;
    const own = await context.client({ workspace: options.workspace });
    const other = context.withProfile(options["other-profile"]);
    const foreign = await other.client({ workspace: options["other-workspace"] });
    const { isSystemAdmin } = await requireStranger(own, foreign, signal);
    const gathered: Gathered[] = [];
    const outcome: Outcome = { tried: 0, skipped: [], leaks: [] };
    let untried: readonly { readonly route: string; readonly reason: string }[] = [];
    const left: string[] = [];
    try {
      gathered.push(
        await gather(own, { tenantId: own.tenantId ?? "", signal, isShared: async () => false }),
      );
      gathered.push(
        await gather(foreign, {
          tenantId: foreign.tenantId ?? "",
          signal,
          isShared: async (email) => isMember(own, email, signal),
        }),
      );
      const [mine, theirs] = gathered;
      if (mine === undefined || theirs === undefined) throw new TypeError("nothing was gathered");
      const { isolationCells } = await import("./isolation/cells.ts");
      const found = isolationCells(mine.ids, new Set(Object.keys(theirs.ids)), {
        isSystemAdmin,
      });
      untried = found.untried;
      // A slug that both workspaces have names the caller's own type.
      const cells = found.cells.filter(
        ({ names }) => names.join() !== "objectType" || !isSameType(mine, theirs),
      );
      const mayTry = (cell: Cell): boolean =>
        options.writes || !cell.isWrite || isHarmless(cell, mine, theirs);
      outcome.skipped.push(...cells.filter((cell) => !mayTry(cell)));
      await tryCells(cells.filter(mayTry), { context, mine, theirs, outcome });
    } finally {
      for (const each of gathered) left.push(...(await each.remove()));
    }
    const { tried, skipped, leaks } = outcome;
    const ok = leaks.length === 0 && tried > 0;
    const notTried = [
      ...skipped.map(({ route, place }) => ({
        route,
        place,
        reason: "a write with an existing thing; --writes sends it",
      })),
      ...untried.map((each) => ({ ...each, place: null })),
    ];
    const sign = ok ? output.tone("good", "✓") : output.tone("danger", "✗");
    const outcomes = `${counted(tried, "cell")} tried, ${counted(leaks.length, "difference")}`;
    const writes = `${counted(skipped.length, "write")} with existing things`;
    const unnamed = `${counted(untried.length, "route")} without an id`;
    await output.data({ ok, tried, leaks, notTried, left }, () => [
      shown`${sign} ${outcomes}`,
      ...leaks.map(
        ({ route, place, reason, status }) =>
          shown`  ${route} ${place}: ${reason} (${status.foreign} and ${status.absent})`,
      ),
      shown`Not tried: ${writes}, ${unnamed}; --format json lists them`,
      ...left.map((words) => shown`  ${words}`),
    ]);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});

async function isMember(client: Client, email: string, signal: AbortSignal): Promise<boolean> {
  const found = await client.members.byEmail.raw({ query: { email }, signal });
  await found.body?.cancel();
  return found.ok;
}

function isSameType(mine: Gathered, theirs: Gathered): boolean {
  return mine.ids["objectType"] === theirs.ids["objectType"];
}

interface Outcome {
  tried: number;
  readonly skipped: Cell[];
  readonly leaks: Leak[];
}

/** A write that, even where the deployment leaks, changes only things made for this check. */
function isHarmless({ names, parameters }: Cell, mine: Gathered, theirs: Gathered): boolean {
  const isMade = (name: string, where: Gathered): boolean =>
    where.made.has(name) || name === "objectType";
  return (
    parameters.some((name) => mine.made.has(name)) &&
    parameters.every((name) => scopes.has(name) || mine.made.has(name)) &&
    names.every((name) => isMade(name, theirs))
  );
}

async function tryCells(
  cells: readonly Cell[],
  work: {
    readonly context: CommandContext;
    readonly mine: Gathered;
    readonly theirs: Gathered;
    readonly outcome: Outcome;
  },
): Promise<void> {
  const { context, mine, theirs, outcome } = work;
  const { output, signal } = context;
  const bare = await context.clientWithoutWorkspace();
  const send = async ({ method, path, headers, body, form }: Request): Promise<Seen> => {
    const tenant = headers["x-tenant-id"];
    const client = tenant === undefined ? bare : bare.forTenant(tenant);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const [plain = "", search = ""] = path.split("?");
    const response = await client.request(method, plain, {
      signal,
      timeoutMs: requestMs,
      query: [...new URLSearchParams(search)],
      ...(text === undefined ? {} : { body: text }),
      ...(form === undefined ? {} : { body: form.text, contentType: form.contentType }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const type = theirs.ids["objectType"];
  const shared = type !== undefined && isSameType(mine, theirs) ? { objectType: type } : {};
  const ids = { foreign: theirs.ids, absent: { ...absentLike(theirs.ids), ...shared } };
  const waiting = [...cells];
  const next = async (): Promise<void> => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      signal.throwIfAborted();
      const leak = await tryCell(cell, ids, send);
      outcome.tried += 1;
      if (leak !== undefined) outcome.leaks.push(leak);
      await output.progress(`${outcome.tried} of ${cells.length} cells`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Throws E305 where the check would prove nothing: one user, or a member of both workspaces. */
async function requireStranger(
  own: Client,
  foreign: Client,
  signal: AbortSignal,
): Promise<{ readonly isSystemAdmin: boolean }> {
  const [me, they] = await Promise.all([
    own.identity.me({ signal }),
    foreign.identity.me({ signal }),
  ]);
  if (me.oid === they.oid) {
    throw inputError(
      "both profiles are the same user",
      "Sign in as another user with `svc login --profile`, and unset SVC_TOKEN",
    );
  }
  const tenants = await own.identity.tenants({ signal });
  const isMember = tenants.items.some(({ id }) => id === foreign.tenantId);
  if (!isMember && own.tenantId !== foreign.tenantId) {
    return { isSystemAdmin: me.systemAdmin === true };
  }
  throw inputError(
    "this user is a member of the other workspace, and sees what is in it",
    "Name a workspace of which the user is no member with --other-workspace",
  );
}
