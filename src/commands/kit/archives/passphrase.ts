import { inputError } from "#cli/errors.ts";
import { streamOf } from "#lib/network/stream.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { CommandContext } from "../context.ts";
import { findFile } from "../input/files.ts";

const longestPassphrase = 4_096;
/** The first bytes of a file in the age format (age-encryption.org/v1). */
const ageStart = "age-encryption.org/";

export const passphraseOption = {
  type: "string",
  placeholder: "path",
  description: "File whose first line is the passphrase of the archive",
} as const;

/** The first line of a file. Throws E305 where it is empty or too long. */
export async function passphraseIn(
  context: Pick<CommandContext, "resolvePath">,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const { content } = await findFile(context, path);
  const [line = ""] = (await content.slice(0, 2 * longestPassphrase).text()).split(/\r?\n/);
  if (line === "") throw inputError(`the first line of ${path} is empty`);
  if (line.length > longestPassphrase) {
    throw inputError(`the passphrase in ${path} has more than ${longestPassphrase} characters`);
  }
  return line;
}

/** Encrypts a stream in the age format, which `age -d` decrypts too. */
export async function encrypted(
  bytes: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(bytes);
}

/** The bytes of an archive's file, decrypted where it is encrypted. Throws E305. */
export async function archiveStream(
  file: Bun.BunFile,
  path: string,
  passphrase: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const start = await file.slice(0, ageStart.length).text();
  if (start !== ageStart) return file.stream();
  if (passphrase === undefined) {
    const hint = "Name the file with its passphrase: --passphrase-file";
    throw catalogError("E305", { details: `${path} is encrypted` }, { hint });
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    // A wrong passphrase is found here, before anything is sent.
    const bytes = await decrypter.decrypt(file.stream());
    return streamOf(whole(bytes, path));
  } catch (error) {
    throw undecryptable(path, error);
  }
}

async function* whole(
  bytes: ReadableStream<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    throw undecryptable(path, error);
  }
}

function undecryptable(path: string, cause: unknown): CatalogError {
  const details = `${path} can't be decrypted: the passphrase is wrong, or it is damaged`;
  return catalogError("E305", { details }, { cause });
}
