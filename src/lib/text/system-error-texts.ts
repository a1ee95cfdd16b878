/** The ends of sentences for errors of the file system, by their codes. */
export const systemErrorTexts: Readonly<Record<string, string>> = {
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
