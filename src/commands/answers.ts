import { answerSchemas, type PrintedSchemas } from "./answer-schemas.ts";

/** The schemas of every command's JSON. The build computes them once, as the table. */
export const printed: PrintedSchemas = await answerSchemas();
