import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf, requireKeyFile } from "./data-places.ts";

export default command({
  path: "serve rotate-key",
  summary: "Encrypt the platform's secrets with a new key",
  description:
    "Replaces the key file, also while the platform runs, and signs no user out. An earlier " +
    "backup still needs the earlier key. With --new-key-file the next start needs that file.",
  arguments: [],
  options: {
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": dataPlaceOptions["database-url"],
    "database-url-file": dataPlaceOptions["database-url-file"],
    "key-file": {
      ...dataPlaceOptions["key-file"],
      description: "The current key; default svc.key in the data directory; also SVC_KEY_FILE",
    },
    "new-key-file": textOption("file", "Use the key in this file, which is made if it is missing"),
  },
  answer: ({ z }) =>
    z.looseObject({
      keyFile: z.string(),
      keyId: z.string(),
      previousKeyId: z.string().optional(),
    }),
  examples: ["svc serve rotate-key --data-dir ./data"],
  trials: ["--data-dir data"],
  async run({ options }, context) {
    const { output } = context;
    const places = requireKeyFile(await dataPlacesOf(context, options));
    const newFile = options["new-key-file"];
    const { rotateKey } = await import("#server/platform/maintenance/rotate-key.ts");
    const rotated = await rotateKey({
      ...places,
      newKeyFile: newFile === undefined ? undefined : context.resolvePath(newFile),
    });
    await output.data(rotated, ({ keyFile, keyId, previousKeyId }) =>
      output.fields([
        ["key file", keyFile],
        ["key", keyId],
        ["previous key", previousKeyId],
      ]),
    );
    const copies = "a copy of the key file apart from the backups";
    await output.note(shown`Keep ${copies}, and the earlier key for the earlier ones`);
  },
});
