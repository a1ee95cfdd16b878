import { webhookCases } from "../cases/webhooks.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("webhooks", webhookCases);
