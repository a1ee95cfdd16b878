import { textOption } from "#cli/command.ts";
import { missingField, usageError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { nameList } from "../../kit/output/rows.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { channelFields } from "./channel-fields.ts";

const none = "none";

export default command({
  path: "alert channel update",
  summary: "Choose if alerts are mailed to you, or to the members with a role",
  description:
    "Alerts are mailed at most once an hour, those of all your workspaces together. Muted ones " +
    "are only in the list. The choice for a role needs tenant-builder; a member's own one also " +
    "counts for its alerts.",
  arguments: [],
  options: {
    mail: { type: "boolean", negatable: true, description: "Mail alerts, or do not" },
    "muted-until": {
      ...textOption("time", "Mail no alerts that are raised before (RFC 3339); none ends it"),
      excludes: ["role"],
    },
    "muted-rules": {
      ...textOption("ids", "Never mail alerts of these rules, separated by commas; none ends it"),
      excludes: ["role"],
    },
    role: textOption("role", "Change the choice for alerts to this role"),
    workspace: workspaceOption,
  },
  calls: ["alerts.updateChannels"],
  answer: "alerts.updateChannels",
  examples: [
    "svc alert channel update --no-mail",
    "svc alert channel update --muted-until 2027-01-04T08:00:00Z",
  ],
  trials: ["--mail"],
  async run({ options }, context) {
    const { output, signal } = context;
    const { mail, role, "muted-until": until, "muted-rules": rules } = options;
    const changes = {
      ...given({ mail }),
      ...(until === undefined ? {} : { mutedUntil: until === none ? null : timeOf(until) }),
      ...(rules === undefined
        ? {}
        : { mutedRules: rules === none ? [] : nameList("--muted-rules", rules) }),
    };
    if (Object.keys(changes).length === 0) throw missingField("--mail", "or another change");
    const client = await context.client({ workspace: options.workspace });
    const body = { ...changes, ...given({ role }) };
    const channels = await client.alerts.updateChannels({ body, signal });
    await output.data(channels, () => output.fields(channelFields(channels)));
  },
});

/** A time in RFC 3339. Throws E305, wrong usage, for another text. */
function timeOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) {
    throw usageError(`--muted-until: "${text}" is not a time such as 2027-01-04T08:00:00Z`);
  }
  return moment.toISOString();
}
