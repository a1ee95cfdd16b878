const words: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "the operation is not permitted",
  ENOENT: "it does not exist",
  EEXIST: "it exists already",
  EISDIR: "it is a folder",
  EFTYPE: "it is not a regular file",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "it is a symbolic link",
  ENOSPC: "there is no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is too large",
  EROFS: "the file system is read-only",
  EIO: "the device failed",
  EBADF: "it is closed",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
};

/** The code of a system error, e.g. `ENOENT`; undefined for other codes, e.g. `E102`. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^E[A-Z0-9]*[A-Z]$/.test(code) ? code : undefined;
}

/** A file system error as text, without its path. */
export function systemErrorWords(error: unknown): string {
  const code = systemErrorCode(error);
  return words[code ?? ""] ?? (code === undefined ? "it failed" : `it failed (${code})`);
}

/** The reason why a file could not be created, where ENOENT means its folder. */
export function writeErrorWords(error: unknown): string {
  return systemErrorCode(error) === "ENOENT"
    ? "its folder does not exist"
    : systemErrorWords(error);
}
