import { inFile, type SpecifiedRow } from "./rows.ts";

/** The rows of part 6, with the tests that hold them on both sides of the wire. */

function eventRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "6", name, figures, tests };
}

const domain = (path: string, ...names: readonly string[]) =>
  inFile(`server/domains/${path}`, ...names);
const everyKind = domain(
  "route-cases",
  "the cases of spec 4.2 to 4.6 > of $id are of every kind, and its bad inputs have pointers",
);

export const eventRows: readonly SpecifiedRow[] = [
  eventRow("1 chat streaming", "ends with `data: [DONE]`", [
    ...domain("chat/routes", "streams the AI SDK's message stream, up to [DONE]"),
    ...inFile(
      "server/http/response/events",
      "a stream of events > opens with a comment, numbers its events, and ends with [DONE]",
      "a stream of events > that fails has no [DONE], and its failure is reported",
    ),
    ...inFile(
      "client/chat/chat",
      "a stream that is not whole > without its end mark is incomplete, although it finished",
      "the contract's own stream > gives parsed events, and fails without the end mark",
    ),
    ...inFile(
      "commands/chat",
      "chat stream > an answer that breaks off is shown in part, and exits with 1",
    ),
  ]),
  eventRow("2 inbound webhooks", "by authorized callers, for diagnostics or replay", [
    ...domain(
      "webhook-sources/signatures",
      "signed by $name > are accepted once, and change a record by the source's key",
      "signed by $name > are refused with another body, another secret and no signature",
    ),
    ...domain(
      "webhook-sources/process",
      "wait in the list with their error, and are replayed once it is mended",
    ),
    ...everyKind,
  ]),
  eventRow("3 realtime", "negotiation and alerts", [
    ...domain(
      "realtime/service",
      "opens with a negotiated token for its workspace and filter only, for five minutes",
    ),
    ...domain("alerts/reads", "are about what the feed shows to their reader"),
    ...everyKind,
  ]),
  eventRow("4 job progress", "by polling the job route", [
    ...domain(
      "documents/routes-jobs",
      "a cancelled job and its document have the status",
      "a failed job has the reason, and can be retried",
    ),
    ...inFile(
      "client/documents/job-wait",
      ...[
        "polls where the platform answers with JSON although events were asked for",
        "continues after an outage, and reports it",
        "is pending when the time runs out first, with the last state",
      ].map((name) => `waiting for a job > ${name}`),
    ),
    ...inFile(
      "commands/docs/job",
      "docs job > a wait that ends first exits with 8, and the job continues",
    ),
  ]),
];
