import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { command } from "./kit/command.ts";

export default command({
  path: "demo",
  summary: "Try everything on a temporary platform with sample data",
  description:
    "The platform uses a temporary directory, which is removed at the end. On a terminal it " +
    "opens the dashboard. With words after `--` it runs that one command, on your demo whose " +
    "dashboard is open, if there is one. Otherwise it takes a tour of the main steps, reports " +
    "each one, and exits with 0 only when every step succeeded. With --format json the tour's " +
    "steps are one JSON value.",
  isServer: true,
  arguments: [
    {
      name: "command",
      description: "A command to run on the sample data, after `--`",
      optional: true,
      variadic: true,
    },
  ],
  options: {
    tour: { type: "boolean", description: "Take the tour, also on a terminal" },
    accessible: { type: "boolean", description: "Open the dashboard as lines for screen readers" },
  },
  runsAnother: true,
  answer: ({ z }) =>
    z.unknown().describe("The steps of the tour; with words after `--` the answer of that command"),
  trials: [],
  examples: ["svc demo", "svc demo -- resources list planning-application", "svc demo --tour"],
  async run(input, context) {
    const words = input.arguments.command;
    const { environment, output } = context;
    if (input.options.tour && words.length > 0) {
      throw usageError("--tour and a command exclude each other");
    }
    const asksFormat = input.given.has("format") || input.given.has("json");
    if (asksFormat && words.length > 0) {
      throw usageError(
        "--format before `--` sets the tour's format",
        "Put it after the command's words",
      );
    }
    if (words.length > 0) {
      const { demoVariables, findRunningDemo } = await import("./demo/running.ts");
      const running = await findRunningDemo(environment.fetch ?? fetch);
      if (running !== undefined) {
        const variables = { ...environment.variables, ...demoVariables(running) };
        return context.runSvc({ ...environment, argv: words, variables });
      }
    }
    const { openDemo } = await import("./demo/platform.ts");
    const isTour =
      input.options.tour ||
      asksFormat ||
      !environment.stdin.isTerminal ||
      !environment.stdout.isTerminal;
    if (words.length === 0 && !isTour) await output.note(shown`Creating the sample data …`);
    const opensDashboard = words.length === 0 && !isTour;
    const demo = await openDemo(environment, {
      listens: opensDashboard,
      documentation: async () => {
        const { documentation } = await import("./kit/site/documentation.ts");
        return documentation(context);
      },
    });
    try {
      if (words.length > 0) return await context.runSvc(demo.environment(words));
      if (isTour) {
        const { takeTour } = await import("./demo/tour.ts");
        return await takeTour(demo, context);
      }
      const [{ openDashboard }, { createContext }] = await Promise.all([
        import("./kit/dashboard/open.ts"),
        import("./kit/context.ts"),
      ]);
      const global = { profile: undefined, insecureHttp: false };
      const argv = input.options.accessible ? ["--accessible"] : [];
      const opened = createContext(demo.environment(argv), output, global, context);
      return await openDashboard(opened, {
        isDemo: true,
      });
    } finally {
      await demo.close();
    }
  },
});
