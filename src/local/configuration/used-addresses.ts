import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePrivateFolder, writeFileAtomically } from "#lib/files/atomic-write.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";

/** `addresses.json`: platforms that projects have named and that were used; mode 0600. */

const fileName = "addresses.json";
const maximumBytes = 256 * 1024;
const maximumAddresses = 500;

/**
 * Returns whether no project had this address before, and notes it. If the file can't be read or
 * written, each use is a first one.
 */
export async function isFirstUse(configDirectory: string, address: string): Promise<boolean> {
  const known = await readAddresses(configDirectory);
  if (known.includes(address)) return false;
  try {
    // The parent is not created: it is the home directory, or one that the user named.
    await stat(dirname(configDirectory));
    await makePrivateFolder(configDirectory);
    const addresses = [...known, address].slice(-maximumAddresses);
    const content = `${JSON.stringify({ version: 1, addresses })}\n`;
    await writeFileAtomically(join(configDirectory, fileName), content, {
      mode: 0o600,
      keepsLink: true,
    });
  } catch {
    // The next use is announced again.
  }
  return true;
}

async function readAddresses(configDirectory: string): Promise<readonly string[]> {
  try {
    const path = join(configDirectory, fileName);
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (!facts.isFile() || facts.size > maximumBytes) return [];
    const listed = membersOf(parsedJson(await readFile(path, "utf8")))?.get("addresses");
    return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
