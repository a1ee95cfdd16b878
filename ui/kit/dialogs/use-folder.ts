import { useEffect, useState } from "react";
import { readFolder, type Folder } from "../files/files.ts";

interface FolderState {
  readonly path: string;
  readonly folder: Folder | undefined;
  /** In words, e.g. `No such folder`. */
  readonly problem: string | undefined;
}

function problemWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no such folder";
  if (code === "EACCES" || code === "EPERM") return "This folder may not be read";
  if (code === "ENOTDIR") return "That is not a folder";
  return "This folder can't be read";
}

/** The entries of a folder on the user's disk; read again when the path changes. */
export function useFolder(path: string): FolderState {
  const [state, setState] = useState<FolderState>({ path, folder: undefined, problem: undefined });
  useEffect(() => {
    let left = false;
    readFolder(path).then(
      (folder) => left || setState({ path, folder, problem: undefined }),
      (error: unknown) =>
        left || setState({ path, folder: undefined, problem: problemWords(error) }),
    );
    return () => {
      left = true;
    };
  }, [path]);
  return state.path === path ? state : { path, folder: undefined, problem: undefined };
}
