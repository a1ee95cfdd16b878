import { roles } from "#contract/access/roles.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { streamOf } from "#lib/network/stream.ts";
import type { ArchivedMember, ArchiveFiles } from "#ui/surface.ts";
import type { CommandContext } from "../context.ts";
import { localFile } from "../input/files.ts";
import { archiveManifestOf } from "./archive-file.ts";
import { compared } from "./comparison.ts";
import { archiveStream, encrypted, passphraseIn } from "./passphrase.ts";

/** The archive's members that an import lists, and the bytes of an entry that has their lines. */
const membersAtMost = 1_000;
const entryBytesAtMost = 4 * 1024 * 1024;

/** Archives on this machine, as the dashboard reads, writes and compares them. */
export function archiveFiles(context: Pick<CommandContext, "resolvePath">): ArchiveFiles {
  return {
    compared,
    async open(path, passphraseFile, signal) {
      const { content } = await localFile(context, path);
      const passphrase = await passphraseIn(context, passphraseFile);
      const stream = () => archiveStream(content, path, passphrase);
      const manifest = await archiveManifestOf(context, path, passphrase, signal);
      return {
        manifest,
        size: content.size,
        isEncrypted: passphrase !== undefined,
        stream,
        members: async () => membersIn(await stream()),
      };
    },
    async encrypted(chunks, passphraseFile) {
      const passphrase = (await passphraseIn(context, passphraseFile)) ?? "";
      return encrypted(streamOf(chunks), passphrase);
    },
  };
}

/** The active members of an archive whose base role is known, which an import may invite. */
async function membersIn(bytes: AsyncIterable<Uint8Array>): Promise<ArchivedMember[]> {
  const { archiveEntries, partOf } = await import("#lib/archive/read-archive.ts");
  const members: ArchivedMember[] = [];
  for await (const { name, size, content } of archiveEntries(bytes)) {
    const isPassed = partOf(name) !== "members" || size > entryBytesAtMost;
    if (isPassed && members.length > 0) break;
    if (isPassed) continue;
    const text = Buffer.concat(await Array.fromAsync(content)).toString("utf8");
    for (const line of text.split("\n")) {
      const member = memberOf(line);
      if (member !== undefined && members.length < membersAtMost) members.push(member);
    }
  }
  return members;
}

function memberOf(line: string): ArchivedMember | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  const { email, role: name, status } = value;
  const role = roles.find((each) => each === name);
  const isListed = status === "active" && typeof email === "string" && role !== undefined;
  return isListed ? { email, role } : undefined;
}
