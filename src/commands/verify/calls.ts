import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { findWorkspace } from "../kit/workspaces/find.ts";
import { healthOf } from "./health.ts";
import { optionOf, probes, type ProbeValues } from "./probes.ts";
import { namesIn, probeMs, runProbe, verdictFor } from "./run-probe.ts";
import {
  endsProbes,
  responseVerdict,
  stateSigns,
  verdictSchemas,
  type PartState,
  type Verdict,
} from "./verdict.ts";

/** Values whose part must be present when an option gives them. */
const givenValues = ["objectType", "id", "email", "workflow"] as const;

interface CheckedCall extends Verdict {
  readonly part: string;
  readonly call: string;
}

const unknownPart = "the platform has no such route, or does not know the given value";

/** The first Object Type, one of its records and the user, as far as the platform sends them. */
async function foundValues(
  client: Client,
  given: { readonly objectType: string | undefined; readonly id: string | undefined },
  signal: AbortSignal,
): Promise<Pick<ProbeValues, "objectType" | "id" | "oid">> {
  const call = { signal, timeoutMs: probeMs };
  const quietly = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CatalogError) || endsProbes(error)) throw error;
      return undefined;
    }
  };
  const oid = await quietly(async () => (await client.identity.me(call)).oid);
  const objectType =
    given.objectType ??
    (await quietly(async () => {
      const { items } = await client.objectTypes.list({ ...call, query: { limit: 1 } });
      return items[0]?.slug;
    }));
  const id =
    given.id ??
    (objectType === undefined
      ? undefined
      : await quietly(async () => {
          const { items } = await client.useResources(objectType).list({ ...call, limit: 1 });
          return items[0]?.id;
        }));
  return { oid, objectType, id };
}

async function healthVerdict(client: Client, signal: AbortSignal): Promise<Verdict> {
  return await verdictFor(async () => {
    const verdict = await responseVerdict(
      await client.health.resources.raw({ signal, timeoutMs: probeMs }),
      "health",
    );
    if (verdict.state !== "present") return verdict;
    const { unwell } = await healthOf(client, signal);
    return unwell === "" ? verdict : { ...verdict, state: "failing", detail: unwell };
  });
}

interface ChatQuestion {
  readonly workflow: string;
  readonly stage: string;
  readonly message: string;
}

async function chatCalls(
  client: Client,
  { workflow, stage, message }: ChatQuestion,
  signal: AbortSignal,
): Promise<CheckedCall[]> {
  const chat = client.useChat(workflow, { stage });
  const reply = await verdictFor(async () => {
    const { message: said } = await chat.send(message, { signal });
    return { state: "present", detail: `${counted(said.content.length, "character")} came` };
  });
  const stream = await verdictFor(async () => {
    let length = 0;
    for await (const event of chat.stream(message, { signal })) {
      if (event.type === "text") length += event.text.length;
      if (event.type === "error") throw event.error;
    }
    return { state: "present", detail: `${counted(length, "character")} came` };
  });
  const path = "{tenantId}/{workflowId}/{stage}";
  return [
    { part: "chat", call: `POST /v4/ai/chat/${path}`, ...reply },
    { part: "chat", call: `POST /v4/ai/chat/stream/${path}`, ...stream },
  ];
}

function callLines({ output }: CommandContext, calls: readonly CheckedCall[]): Shown[] {
  const width = Math.max(...calls.map(({ call }) => call.length));
  return calls.map(({ call, state, status, detail }) => {
    const [sign, tone] = stateSigns[state];
    const words = [state, status === undefined ? undefined : `HTTP ${status}`, detail];
    const said = words.filter((word) => word !== undefined).join(", ");
    return shown`${output.tone(tone, sign)} ${call.padEnd(width)}  ${said}`;
  });
}

const stateNames: Readonly<Record<PartState, string>> = {
  present: "present",
  absent: "absent",
  "not permitted": "notPermitted",
  failing: "failing",
  "not checked": "notChecked",
};

function countsOf(calls: readonly CheckedCall[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stateNames).map(([state, name]) => [
      name,
      calls.filter((call) => call.state === state).length,
    ]),
  );
}

/** `svc verify calls`: read-only probes of the interface's families (spec 4.7). */
export default command({
  path: "verify calls",
  summary: "Report which parts of the interface a platform has",
  description:
    "Each call only reads: it is present, absent (404, 405 or 501), not permitted (403) or " +
    "failing. The chat is asked with --include-chat only. The exit code is 0 unless a call " +
    "fails, or a part that an option names is absent.",
  rows: ["calls"],
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    "resource-type": textOption("type", "Object Type to read (default: the first one)"),
    "resource-id": {
      ...textOption("id", "Record to read (default: the newest one)"),
      needs: "resource-type",
    },
    workflow: textOption("workflow", "Workflow whose status is read"),
    stage: { ...textOption("stage", "Stage of the chat"), default: "chat" },
    "tenant-record": textOption(
      "workspace",
      "Workspace whose members are read, ID or slug (default: the one of --tenant-id)",
    ),
    "user-email": textOption("email", "User to look up"),
    "include-chat": { type: "boolean", description: "Also ask the workflow", needs: "workflow" },
    "chat-message": {
      ...textOption("text", "Message of the chat"),
      default: "Answer with one word: ready?",
    },
  },
  calls: [
    "health.resources",
    ...probes.map(({ route }) => route).filter((route) => route !== undefined),
  ],
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      baseUrl: z.string(),
      workspace: z.string(),
      counts: z.record(z.string(), z.int()),
      calls: z.array(
        z.strictObject({
          part: z.string(),
          call: z.string(),
          detail: z.string().optional(),
          ...verdictSchemas(z),
        }),
      ),
    }),
  examples: ["svc verify calls", "svc verify calls --resource-type planning-application"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const tenantId = client.tenantId ?? "";
    const record = options["tenant-record"];
    const health = await healthVerdict(client, signal);
    const values: ProbeValues = {
      tenantId,
      tenantRecord: record === undefined ? tenantId : (await findWorkspace(context, record)).id,
      email: options["user-email"],
      workflow: options.workflow,
      ...(await foundValues(
        client,
        { objectType: options["resource-type"], id: options["resource-id"] },
        signal,
      )),
    };
    const given = new Set<string>(
      givenValues.filter((name) => input.given.has(optionOf[name].replace(/^--/, ""))),
    );
    const calls: CheckedCall[] = [
      { part: "health", call: "GET /v4/data/resources/health", ...health },
    ];
    let asked = true;
    for (const probe of probes) {
      await output.progress(probe.call);
      const { part, call } = probe;
      const other = values.tenantRecord !== tenantId && call.includes("{tenantRecord}");
      const own = other ? client.forTenant(values.tenantRecord) : client;
      const verdict = await runProbe(probe, values, own, signal);
      const names = [...namesIn(call), probe.needs ?? ""];
      const isAsked = verdict.state === "absent" && names.some((name) => given.has(name));
      if (isAsked) asked = false;
      const detail = isAsked && verdict.status === 404 ? { detail: unknownPart } : {};
      calls.push({ part, call, ...verdict, ...detail });
    }
    if (options["include-chat"] && options.workflow !== undefined) {
      const { workflow, stage } = options;
      const question = { workflow, stage, message: options["chat-message"] };
      const answers = await chatCalls(client, question, signal);
      asked &&= answers.every(({ state }) => state !== "absent");
      calls.push(...answers);
    }
    await output.progress("");
    const ok = asked && calls.every(({ state }) => state !== "failing");
    const counts = countsOf(calls);
    const report = { ok, baseUrl: client.baseUrl, workspace: tenantId, counts, calls };
    await output.data(report, () => callLines(context, calls));
    if (!output.isJson) {
      const words = Object.entries(stateNames).flatMap(([state, name]) =>
        counts[name] === 0 ? [] : [`${counts[name]} ${state}`],
      );
      await output.note(Shown.joined(words, ", "));
    }
    return ok ? exitCodes.done : exitCodes.failed;
  },
});
