import { debianPackage, tarGzip, tarZstd, textFile, type ArchiveFile } from "./archives.ts";
import { processor } from "./processor.ts";

export interface DebianInput {
  readonly architecture: string;
  /** The shell function `require_processor`, which runs before dpkg unpacks anything. */
  readonly processorCheck: string | undefined;
  readonly version: string;
  readonly executable: Uint8Array;
  readonly shared: readonly ArchiveFile[];
  readonly notices: string;
  readonly licence: string;
  readonly level: number;
}

/** Places of Debian for files that lie elsewhere in an archive; its zsh reads its own folder. */
const places: readonly (readonly [from: string, to: string])[] = [
  ["svc/svc.service", "./usr/lib/systemd/system/svc.service"],
  ["zsh/site-functions/", "./usr/share/zsh/vendor-completions/"],
];

function placeOf(path: string): string {
  const [from, to] = places.find(([start]) => path.startsWith(start)) ?? ["", "./usr/share/"];
  return to + path.slice(from.length);
}

/**
 * `svc_VERSION_ARCHITECTURE.deb`: the same files in Debian's places. Its `preinst` refuses a
 * processor that can't run the executable.
 */
export async function debianArchive(input: DebianInput): Promise<Uint8Array> {
  const { architecture, processorCheck, version, executable, shared, level } = input;
  const data: ArchiveFile[] = [
    { path: "./usr/bin/svc", content: executable, mode: 0o755 },
    ...shared.map((file) => ({ ...file, path: placeOf(file.path) })),
    textFile("./usr/share/doc/svc/copyright", input.licence),
    textFile("./usr/share/doc/svc/THIRD-PARTY-NOTICES.txt", input.notices),
  ];
  const kibibytes = data.reduce((sum, { content }) => sum + content.byteLength, 0) / 1024;
  const control = [
    "Package: svc",
    `Version: ${version.replace("-", "~")}`,
    `Architecture: ${architecture}`,
    "Maintainer: svc maintainers <maintainers@svc.invalid>",
    `Installed-Size: ${Math.ceil(kibibytes)}`,
    "Depends: libc6 (>= 2.17)",
    "Section: admin",
    "Priority: optional",
    "Description: client, dashboard and platform of the v4 interface",
    " One executable with a client, commands, a terminal dashboard and the embedded",
    " platform. The unit svc.service runs the platform and is not enabled by itself.",
    ...(processorCheck === undefined ? [] : [` It needs ${processor.words}.`]),
    "",
  ].join("\n");
  const sums = data
    .map(({ path, content }) => `${Bun.MD5.hash(content, "hex")}  ${path.slice(2)}\n`)
    .join("");
  const controlFiles: ArchiveFile[] = [textFile("./control", control), textFile("./md5sums", sums)];
  if (processorCheck !== undefined) {
    const script = `#!/bin/sh\nset -eu\n\n${processorCheck}\nrequire_processor\n`;
    controlFiles.push({ ...textFile("./preinst", script), mode: 0o755 });
  }
  return debianPackage(await tarGzip(controlFiles, level), await tarZstd(data, level));
}
