import { catalogError } from "#contract/errors.ts";
import type { Project } from "#local/surface.ts";
import type { CommandContext } from "../context.ts";

/** The project of the current folder. Throws E001 without one, and E005 for a faulty one. */
export async function requireProject(context: CommandContext): Promise<Project> {
  const { project } = await context.settings();
  if (project === undefined) {
    const hint = "A project is a folder that contains `src/eai.config/object-types.ts`";
    throw catalogError("E001", {}, { hint });
  }
  if (project.fault !== undefined) throw catalogError("E005", {}, { hint: project.fault });
  return project;
}
