import { webhookSourceCases } from "../cases/webhook-sources.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("webhook sources", webhookSourceCases);
