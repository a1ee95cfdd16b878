import { usageError } from "#cli/errors.ts";
import { command } from "./command.ts";

/** `svc demo`: a platform with sample data in a temporary directory, gone when it ends. */
export const demoCommand = command({
  path: "demo",
  summary: "Try everything on a platform of its own, with sample data",
  description:
    "The platform lives in a temporary directory and is gone afterwards. On a terminal it opens " +
    "the dashboard. With words after `--` it runs that one command. Otherwise it takes a tour of the main job, says what it does, and exits 0 " +
    "only when each step did what it should. With --format json the tour's steps are one JSON value.",
  arguments: [
    {
      name: "command",
      description: "A command to run against the sample data, after `--`",
      optional: true,
      variadic: true,
    },
  ],
  options: { tour: { type: "boolean", description: "Take the tour even on a terminal" } },
  runsAnother: true,
  examples: ["svc demo", "svc demo -- resources list planning-application", "svc demo --tour"],
  async run(input, context) {
    const words = input.arguments.command;
    const { environment, output } = context;
    if (input.options.tour && words.length > 0) {
      throw usageError("--tour and a command exclude each other");
    }
    const asksFormat = input.given.has("format") || input.given.has("json");
    if (asksFormat && words.length > 0) {
      throw usageError("--format before `--` is the tour's", "Put it behind the command's words");
    }
    const { openDemo } = await import("./demo/platform.ts");
    const isTour =
      input.options.tour ||
      asksFormat ||
      !environment.stdin.isTerminal ||
      !environment.stdout.isTerminal;
    if (words.length === 0 && !isTour) await output.note("Making the sample data …");
    const demo = await openDemo(environment);
    try {
      if (words.length > 0) {
        const { runSvc } = await import("./run.ts");
        return await runSvc(demo.environment(words), context.openTerminal);
      }
      if (isTour) {
        const { takeTour } = await import("./demo/tour.ts");
        return await takeTour(demo, context);
      }
      const [{ openDashboard }, { createContext }] = await Promise.all([
        import("./dashboard.ts"),
        import("./context.ts"),
      ]);
      const inside = createContext(
        demo.environment([]),
        output,
        { profile: undefined },
        context.openTerminal,
      );
      return await openDashboard(inside);
    } finally {
      await demo.close();
    }
  },
});
