/**
 * `npm run check`: types, lint, format and architecture, side by side; all of them or a failure.
 */
import { allChecks, runChecks } from "./check/run-checks.ts";

const { failed, text } = await runChecks(allChecks);
console.log(text);
process.exitCode = failed === 0 ? 0 : 1;
