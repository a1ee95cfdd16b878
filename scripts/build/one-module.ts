import { fewerParts } from "./smaller-modules.ts";

/** The runtime is Bun by default; `external` names what stays an import. */
type ModuleOptions = Pick<Bun.BuildConfig, "target" | "external" | "plugins">;

/** The module with its imports as one minified module; adds the paths that it is made of. */
export async function oneModule(
  path: string,
  inputs: string[],
  { target = "bun", external = [], plugins = [] }: ModuleOptions = {},
): Promise<string> {
  const { success, outputs, logs, metafile } = await Bun.build({
    entrypoints: [path],
    target,
    minify: true,
    external,
    metafile: true,
    plugins: [fewerParts, ...plugins],
    throw: false,
  });
  const [output, ...others] = outputs;
  if (!success || output === undefined || others.length > 0) {
    throw new Error(`${path} is not one module:\n${logs.map(({ message }) => message).join("\n")}`);
  }
  inputs.push(...Object.keys(metafile?.inputs ?? {}));
  return await output.text();
}
