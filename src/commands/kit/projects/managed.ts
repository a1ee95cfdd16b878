import { catalogError } from "#contract/errors.ts";
import type { Manifest } from "#local/managed-files.ts";
import type { TemplateFile } from "#local/templates/template.ts";
import type { CommandContext } from "../context.ts";
import { requireProject } from "../input/project.ts";

/** The project with its record and the files of its template. Throws E001 or E005 without. */
export async function managedProject(context: CommandContext): Promise<{
  readonly root: string;
  readonly manifest: Manifest;
  readonly files: readonly TemplateFile[];
}> {
  const { root } = await requireProject(context);
  const [{ readManifest }, { projectFiles }] = await Promise.all([
    import("#local/managed-files.ts"),
    import("#local/templates/project-files.ts"),
  ]);
  const manifest = await readManifest(root);
  if (manifest === undefined) {
    const hint = "The project has no managed files: `svc init` without --no-gofer makes them";
    throw catalogError("E005", {}, { hint });
  }
  return { root, manifest, files: await projectFiles(manifest.template, manifest) };
}
