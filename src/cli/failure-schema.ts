import * as z from "zod";
import { exitCodes } from "#contract/errors.ts";
import { fault } from "#contract/problems.ts";

/** The error that every command prints with `--format json` (spec 7.1). */
export const failureSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("A code of the catalog: `svc errors` lists them"),
      message: z.string(),
      suggestion: z.string().describe("The catalog's suggestion"),
      exitCode: z.literal(Object.values(exitCodes)).describe("The exit code of the process"),
      status: z.int().optional().describe("HTTP status of the platform's response"),
      requestId: z.string().optional(),
      requiredRole: z.string().optional(),
      currentRole: z.string().optional(),
      errors: z.array(fault).optional(),
      hint: z.string().optional().describe("The next step in this case"),
    }),
  })
  .meta({ id: "Failure" });
