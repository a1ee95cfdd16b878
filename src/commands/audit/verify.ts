import { createReadStream } from "node:fs";
import { textOption } from "#cli/command.ts";
import { inputError, usageFormatError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import type { AuditHead } from "#contract/workspaces/audit.ts";
import { AuditChain, type AuditLink, type AuditRemoval } from "#lib/audit-chain.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import {
  entriesWords,
  headRoutes,
  logClient,
  logHead,
  logOptions,
  logRoutes,
  wholeLog,
  type LogChoice,
} from "./entries.ts";

const longestLine = 4 * 1024 * 1024;

export default command({
  path: "audit verify",
  summary: "Check that no entry of an audit log was changed or removed",
  description:
    "Computes the digest of each entry, which covers the one before it. Note the head that it " +
    "prints, and give it to a later run with --head: that also finds a log that was cut or " +
    "written again as a whole, with the head that the database has. The platform signs the head " +
    "with its key file, and a log that does not fit its signed head is a fault. Reports how many " +
    "entries the retention has removed, and from how many an erasure has removed values: a later " +
    "entry names each of those. Exits with 1 when the chain is broken.",
  arguments: [],
  options: {
    ...logOptions,
    head: textOption("sequence:digest", "The head that an earlier run has printed"),
    input: {
      ...textOption("file", "Check an NDJSON export instead of the platform"),
      excludes: ["workspace", "platform"],
    },
  },
  calls: [...logRoutes, ...headRoutes],
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      entries: z.int(),
      /** Entries whose values an erasure has removed; their digests are still in the chain. */
      erased: z.int(),
      head: z.string().nullable(),
      /** The time of the first entry. */
      since: z.string().nullable(),
      removed: z
        .strictObject({
          entries: z.int(),
          until: z.string().nullable(),
          keptDays: z.number().nullable(),
        })
        .nullable(),
      fault: z.string().nullable(),
      /** The time since which the platform signs its logs; null for a file. */
      signedSince: z.string().nullable(),
    }),
  examples: ["svc audit verify"],
  trials: ["", { words: "--platform", at: ["other", "stub"] }],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const known = headIn(options.head);
    const chain =
      options.input === undefined
        ? await checkPlatform(context, options, known)
        : await checkFile(context.resolvePath(options.input), known);
    signal.throwIfAborted();
    chain.end();
    if (known !== undefined && chain.fault === undefined) {
      if ((chain.last?.sequence ?? 0) < known.sequence) {
        chain.fault = `the log ends before entry ${known.sequence} of --head`;
      }
    }
    const { entries, erased, fault, last, removed = null, since = null } = chain;
    const { signedSince = null } = chain;
    const isEmpty = last === undefined || last.digest === "";
    const head = isEmpty ? null : `${last.sequence}:${last.digest}`;
    const ok = fault === undefined;
    const whole = `${entriesWords(entries)}, each with the digest of the one before`;
    const facts = { ok, entries, erased, head, since, removed, fault: fault ?? null, signedSince };
    await output.data(facts, () => [
      ok
        ? shown`${output.tone("good", "✓")} ${whole}`
        : shown`${output.tone("danger", "✗")} ${fault}`,
      ...(erased === 0 ? [] : [shown`${entriesWords(erased)} without the values of erasures`]),
      ...(removed === null ? [] : [shown`${removalWords(removed)}`]),
      ...(since === null ? [] : [shown`since ${since}`]),
      ...(signedSince === null ? [] : [shown`signed by the platform since ${signedSince}`]),
      ...(head === null ? [] : [shown`head ${head}`]),
    ]);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});

async function checkPlatform(
  context: CommandContext,
  options: LogChoice,
  known: AuditLink | undefined,
): Promise<AuditChain> {
  const { signal } = context;
  const client = await logClient(context, options);
  // Read first: entries may be added meanwhile.
  const head = await logHead(client, options.platform, signal);
  const start = { sequence: head.removedSequence, digest: head.removedDigest };
  const chain = new AuditChain(start, known);
  chain.removed = removalOf(head);
  chain.signedSince = head.signedSince ?? undefined;
  chain.fault = headFault(head, known);
  if (chain.fault !== undefined) return chain;
  for await (const items of wholeLog(client, options.platform, {}, signal)) {
    for (const item of items) {
      chain.add(item);
      if (item.sequence === head.sequence && item.digest !== head.digest) {
        chain.fault ??= `entry ${item.sequence} is not the last one that the platform names`;
      }
    }
    if (chain.fault !== undefined) return chain;
  }
  if ((chain.last?.sequence ?? 0) < head.sequence) {
    const last = `entry ${head.sequence}, the last one that the platform names`;
    chain.fault = `the log ends before ${last}`;
  }
  return chain;
}

function removalOf(head: AuditHead): AuditRemoval | undefined {
  if (head.removedSequence === 0) return undefined;
  const { removedSequence: entries, removedAt = null, keptDays = null } = head;
  return { entries, until: removedAt, keptDays };
}

function removalWords({ entries, until, keptDays }: AuditRemoval): string {
  const count = `${entries.toLocaleString("en")} ${entries === 1 ? "entry was" : "entries were"}`;
  const time = until === null ? "" : `, the last one of ${until}`;
  const days = keptDays === null ? "" : ` (entries are kept for ${keptDays} days)`;
  return `${count} removed${time}${days}`;
}

/** The fault that the head itself shows: a cut at the front, or a log that was written again. */
function headFault(head: AuditHead, known: AuditLink | undefined): string | undefined {
  const { seal, removedSequence, removedDigest, removedAt, removedBefore } = head;
  if (seal === "altered") {
    return "the log does not fit the head that the platform has signed: it was cut or written again";
  }
  if (seal === "missing") return "the platform has not signed the head of this log";
  const removal = `${removedSequence} entries were removed`;
  const isSealed = seal === "valid" && typeof removedAt === "string";
  if (isSealed && typeof removedBefore === "string" && removedAt >= removedBefore) {
    return `${removal}, the last one of ${removedAt}, which the retention keeps`;
  }
  if (seal === "valid" && removedSequence > 0 && !isSealed) {
    return `${removal}, and the platform has not signed their removal`;
  }
  if (known === undefined || known.sequence > removedSequence) return undefined;
  if (known.sequence === removedSequence && known.digest !== removedDigest) {
    return `entry ${known.sequence} is not the one of --head`;
  }
  // A signed removal is the only explanation of a missing entry.
  return isSealed || known.sequence === removedSequence
    ? undefined
    : `entry ${known.sequence} of --head was removed, and the platform has not signed its removal`;
}

async function checkFile(path: string, known: AuditLink | undefined): Promise<AuditChain> {
  let chain: AuditChain | undefined;
  try {
    for await (const line of linesOf(path)) {
      if (line.trim() === "") continue;
      const entry = parsedJson(line);
      if (!isJsonObject(entry)) throw inputError(`${path} is not an NDJSON export of svc`);
      if (chain === undefined) {
        // The first entry of a whole log follows nothing; that of a shortened one is trusted.
        const isFirst = entry["sequence"] === 1;
        chain = new AuditChain(isFirst ? { sequence: 0, digest: "" } : undefined, known);
      }
      chain.add(entry);
    }
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw inputError(`cannot read ${path}: ${systemErrorWords(error)}`);
  }
  return chain ?? new AuditChain(undefined, known);
}

/** The lines of a file. Throws E305 for a line that no entry is as long as. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > longestLine) throw inputError(`${path} is not an NDJSON export of svc`);
    yield* lines;
  }
  yield rest + decoder.decode();
}

function headIn(text: string | undefined): AuditLink | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,15}):([\w-]{43})$/.exec(text);
  if (match === null)
    throw usageFormatError(`--head "${text}"`, "12:digest, as audit verify prints it");
  return { sequence: Number(match[1]), digest: match[2] ?? "" };
}
