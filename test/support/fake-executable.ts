/** A small program that takes the place of an executable: a script of the shell. */
export function fakeExecutable(version: string): string {
  return `#!/bin/sh\n[ "$1" = --version ] && echo ${version}\n`;
}

/** The same with some megabytes after its end, so that writing it takes a while. */
export function fakeExecutableBytes(version: string): Uint8Array {
  const script = `#!/bin/sh\necho ${version}\nexit 0\n`;
  return Buffer.concat([Buffer.from(script), Buffer.alloc(4 * 1024 * 1024, "#")]);
}
