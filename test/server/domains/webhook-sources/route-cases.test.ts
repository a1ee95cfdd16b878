import { svcExecutable } from "#test/support/svc.ts";
import { webhookSourceCases } from "../cases/webhook-sources.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

/** The lines of a child about the mapping `empty`. */
const nothing = [
  '{"type":"progress","done":0,"total":1}',
  '{"type":"page","number":1,"text":"[]"}',
  '{"type":"end","mediaType":"application/json","metadata":{},"warnings":[]}',
];

/**
 * A child that starts the program of the product for other mappings only. Two calls come before
 * each case, and most cases are not about their effect.
 */
const extractionCommand = [
  "/bin/sh",
  "-c",
  `read -r request < "$2"
  case "$request" in
    *'"program":"empty"'*) printf '%s\\n' ${nothing.map((line) => `'${line}'`).join(" ")} ;;
    *) exec '${await svcExecutable()}' __extract "$@" ;;
  esac`,
  "sh",
];

describeRouteCases("webhook sources", webhookSourceCases, { options: { extractionCommand } });
