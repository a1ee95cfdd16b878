import { Shown, shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

export default command({
  path: "serve migrate",
  summary: "Migrate a platform's database to the schema of this svc",
  description:
    "Runs the migrations that the next svc serve would run. A SQLite database is first copied to " +
    "backups in the data directory; with PostgreSQL, run pg_dump first.",
  arguments: [],
  options: {
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": dataPlaceOptions["database-url"],
    "database-url-file": dataPlaceOptions["database-url-file"],
  },
  answer: ({ z }) => z.strictObject({ applied: z.array(z.string()), schema: z.string() }),
  examples: ["svc serve migrate --data-dir ./data"],
  trials: ["--data-dir data"],
  async run(input, context) {
    const { migrateData } = await import("#server/platform/maintenance/migrate-data.ts");
    const { output } = context;
    const places = await dataPlacesOf(context, input.options);
    const report = await migrateData(places, (words) => output.note(Shown.block(words)));
    await output.data(report, ({ applied }) => applied.map((name) => shown`${name}`));
    if (report.applied.length === 0) await output.note(shown`Up to date: ${report.schema}`);
  },
});
