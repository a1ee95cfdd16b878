import type { ReleaseNeeds } from "./needs.ts";
import { checkSignature, SignatureError } from "#lib/minisign.ts";

/** The parts of an archive that an update needs. */
export interface ReleasedExecutable {
  readonly executable: Uint8Array;
  /** Signature of the executable alone. */
  readonly signature: string;
  /** The needs of the release; an archive of an earlier version has none. */
  readonly needs?: ReleaseNeeds;
}

/** Checks that an executable is the one of this version and target. Throws `SignatureError`. */
export function checkExecutable(
  key: string,
  { executable, signature }: ReleasedExecutable,
  { version, target }: { readonly version: string; readonly target: string },
): void {
  const comment = checkSignature(key, signature, executable);
  if (comment !== `svc ${version} ${target}`) {
    throw new SignatureError(`the executable is signed as ${comment}`);
  }
}
