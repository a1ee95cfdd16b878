import { stat } from "node:fs/promises";
import { join } from "node:path";
import { absolutePath } from "../files.ts";
import type { SaveTarget } from "../save-file.ts";
import { sizeWords } from "../words.ts";
import { useFolders } from "./use-folders.tsx";
import { useNotices } from "./use-notices.tsx";
import { useOverlays } from "./use-overlays.tsx";

export interface SaveWish {
  readonly title: string;
  /** What will be in the file. */
  readonly words: string;
  /** Its name, unless another is typed. */
  readonly filename: string;
  readonly onTarget: (target: SaveTarget) => void;
}

/** Asks where to save a file, and again before one that is there is replaced. */
export function useSavePath(): (wish: SaveWish) => void {
  const overlays = useOverlays();
  const { sayFailure } = useNotices();
  const { currentDirectory, homeDirectory } = useFolders();

  const check = async (path: string, wish: SaveWish): Promise<void> => {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined) return wish.onTarget({ path, mayReplace: false });
    if (facts.isDirectory()) return check(join(path, wish.filename), wish);
    overlays.show({
      kind: "confirm",
      question: {
        title: "Replace this file",
        effects: [
          `${path}, ${sizeWords(facts.size)}, of ${facts.mtime.toISOString().slice(0, 16).replace("T", " ")}`,
          "what is in it now is lost",
        ],
        onConfirm: () => wish.onTarget({ path, mayReplace: true }),
      },
    });
  };

  return (wish) =>
    overlays.show({
      kind: "ask",
      question: {
        title: wish.title,
        words: wish.words,
        initial: join(currentDirectory, wish.filename),
        placeholder: "a path",
        onAnswer: (typed) => {
          const path = absolutePath(typed, currentDirectory, homeDirectory);
          check(path, wish).catch(sayFailure);
        },
      },
    });
}
