import { createContext, useContext, type ReactNode } from "react";

interface Folders {
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

export function useFolders(): Folders {
  return useContext(FoldersContext);
}
