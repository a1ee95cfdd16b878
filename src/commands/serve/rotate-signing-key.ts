import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf, requireKeyFile } from "./data-places.ts";

export default command({
  path: "serve rotate-signing-key",
  summary: "Replace the key that signs tokens, without signing users out",
  description:
    "Also while the platform runs. The new key is published ten minutes before it signs, so that " +
    "other servers know it. The previous key verifies its tokens until they have expired.",
  arguments: [],
  options: {
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": dataPlaceOptions["database-url"],
    "database-url-file": dataPlaceOptions["database-url-file"],
    "key-file": dataPlaceOptions["key-file"],
    now: { type: "boolean", description: "Sign with the new key at once" },
  },
  answer: ({ z }) =>
    z.looseObject({
      kid: z.string(),
      previousKid: z.string(),
      signsFrom: z.string(),
      previousUntil: z.string(),
    }),
  examples: ["svc serve rotate-signing-key --data-dir ./data"],
  trials: ["--data-dir data"],
  async run({ options }, context) {
    const { output } = context;
    const places = requireKeyFile(await dataPlacesOf(context, options));
    const { rotateSigningKey } = await import("#server/platform/maintenance/token.ts");
    const rotated = await rotateSigningKey({ ...places, atOnce: options.now });
    await output.data(rotated, ({ kid, previousKid, previousUntil, signsFrom }) =>
      output.fields([
        ["key", kid],
        ["signs from", signsFrom],
        ["previous key", previousKid],
        ["verifies until", previousUntil],
      ]),
    );
    await output.note(shown`No user is signed out; a running platform follows within a minute`);
  },
});
