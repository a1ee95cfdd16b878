/** The names of a release's packages at a registry. */

/** The scope that the publisher owns: a name without one could belong to anybody. */
const packageScope = "@svc-platform";

/** The client library, without a command. */
export const clientPackage = `${packageScope}/client`;
/** The launcher of the command `svc`, which installs the executable for the machine. */
export const commandPackage = `${packageScope}/svc`;

/** The package with the executable for a target, e.g. `linux-x64`. */
export function targetPackage(target: string): string {
  return `${packageScope}/svc-${target}`;
}

/** The path of a package below a registry's address. */
export function registryPath(name: string): string {
  return name.replace("/", "%2f");
}
