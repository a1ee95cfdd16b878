import { shown } from "#cli/shown.ts";
import { CatalogError, exitCodes } from "#contract/errors.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import { command } from "./kit/command.ts";
import { tenantOption } from "./kit/workspaces/options.ts";
import type { CommandContext } from "./kit/context.ts";
import { requireProject } from "./kit/input/project.ts";
import { stateSigns, verdictOf, verdictSchemas, type PartState } from "./verify/verdict.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** True if the platform has the part: absent means 404, 405 or 501. */
  readonly state: PartState;
  readonly detail: string;
  readonly code?: string;
  readonly status?: number;
}

/** Runs one probe. A catalog error becomes a failed check; other errors are rethrown. */
async function check(name: string, probe: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, state: "present", detail: await probe() };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { code, message, hint } = error;
    const isLocal = code.startsWith("E00") && hint !== undefined;
    return {
      name,
      ok: false,
      ...verdictOf(error),
      detail: isLocal ? `${message}: ${hint}` : message,
    };
  }
}

/** The project of the current folder, if any; with E003, E005 or E006 if it is faulty. */
async function projectChecks(context: CommandContext): Promise<readonly Check[]> {
  let root: string | undefined;
  const found = await check("project", async () => {
    const { project } = await context.settings();
    root = project?.root;
    if (project !== undefined) await requireProject(context);
    return root ?? "";
  });
  return found.ok && root === undefined ? [] : [found];
}

export default command({
  path: "verify",
  summary: "Check the platform, the sign-in and the workspace",
  rows: ["checks"],
  arguments: [],
  options: { "tenant-id": tenantOption },
  calls: ["health.resources", "objectTypes.list", "objectTypes.schema"],
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      checks: z.array(
        z.strictObject({
          name: z.string(),
          ok: z.boolean(),
          detail: z.string(),
          ...verdictSchemas(z),
        }),
      ),
    }),
  async run(input, context) {
    const { signal } = context;
    const project = await projectChecks(context);
    // The settings of every other check come from the project.
    if (project.some(({ ok }) => !ok)) return await report(context, project);
    const open = await context.clientWithoutWorkspace();
    const workspace = input.options["tenant-id"];
    const checks = [
      ...project,
      await check("platform health", async () => {
        const { status, components = {}, version } = await open.health.resources({ signal });
        const unwell = Object.entries(components)
          .filter(([, part]) => part.status !== "ok")
          .map(([name, { detail, status: state }]) => `${name}: ${detail ?? state}`);
        return [
          unwell.length === 0 ? status : `${status} (${unwell.join(", ")})`,
          ...(version === undefined ? [] : [`version ${version}`]),
        ].join(", ");
      }),
      await check("object types", async () => {
        const client = await context.client({ workspace });
        const list = await client.objectTypes.list({ query: { limit: maximumPageLimit }, signal });
        return `${list.items.length}${list.hasNextPage === true ? "+" : ""} readable`;
      }),
      await check("schema", async () => {
        const client = await context.client({ workspace });
        const { objectTypes } = await client.objectTypes.schema({ signal });
        return `${objectTypes.length} published`;
      }),
    ];
    return await report(context, checks);
  },
});

async function report({ output }: CommandContext, checks: readonly Check[]): Promise<number> {
  const ok = checks.every((entry) => entry.ok);
  await output.data({ ok, checks }, () =>
    checks.map(({ name, state, code, detail }) => {
      const [sign, tone] = stateSigns[state];
      const words = code === undefined ? detail : `${code} ${detail}`;
      const known = state === "present" || state === "failing" ? "" : `${state}, `;
      return shown`${output.tone(tone, sign)} ${name}: ${known}${words}`;
    }),
  );
  if (ok) return exitCodes.done;
  await output.note(shown`A check failed: \`svc errors <code>\` explains its code`);
  const signIn = checks.some((entry) => entry.code !== undefined && /^E10\d$/.test(entry.code));
  return signIn ? exitCodes.signInNeeded : exitCodes.failed;
}
