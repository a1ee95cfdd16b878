import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf } from "../data-places.ts";

export default command({
  path: "serve admin reset",
  summary: "Give the administrator a one-time password on the platform's machine",
  description:
    "For an installation whose administrator can no longer sign in, also while the platform is " +
    "stopped. Ends the account's tokens and sessions and enables it. The one-time password is " +
    "shown once, is valid for 24 hours, and leads to the choice of a password.",
  arguments: [],
  options: {
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": dataPlaceOptions["database-url"],
    "database-url-file": dataPlaceOptions["database-url-file"],
    "remove-factors": {
      type: "boolean",
      description: "Also remove the second factors, after a lost phone",
    },
  },
  answer: ({ z }) =>
    z.looseObject({
      email: z.string(),
      oneTimePassword: z.string(),
      expiresAt: z.string(),
      removedFactors: z.int(),
    }),
  examples: ["svc serve admin reset --data-dir ./data --force"],
  trials: [{ words: "--data-dir data --force" }],
  confirms: () => "Replace the administrator's password?",
  async run({ options }, context) {
    const { output } = context;
    const places = await dataPlacesOf(context, options);
    const { resetAdministrator } = await import("#server/platform/maintenance/administrator.ts");
    const reset = await resetAdministrator({
      ...places,
      removesFactors: options["remove-factors"],
    });
    await output.data(reset, ({ email, oneTimePassword, expiresAt, removedFactors }) =>
      output.fields([
        ["administrator", email],
        ["one-time password", oneTimePassword],
        ["valid until", expiresAt],
        ["second factors removed", String(removedFactors)],
      ]),
    );
    if (output.isJson) return;
    await output.note(shown`A running platform follows within seconds; then \`svc login\``);
  },
});
