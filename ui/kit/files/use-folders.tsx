import { createContext, useContext, type ReactNode } from "react";

export interface Folders {
  readonly currentDirectory: string;
  readonly homeDirectory: string;
}

const FoldersContext = createContext<Folders>({ currentDirectory: "/", homeDirectory: "/" });

export function FoldersProvider(props: {
  readonly folders: Folders;
  readonly children: ReactNode;
}) {
  return <FoldersContext value={props.folders}>{props.children}</FoldersContext>;
}

/** Where the user started from, and where they live. */
export function useFolders(): Folders {
  return useContext(FoldersContext);
}
