import { constants, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { writeErrorWords } from "#lib/system-error.ts";
import { absolutePath } from "../../kit/files/files.ts";
import type { SaveTarget } from "../../kit/files/save-file.ts";
import { localTimeWords, sizeWords } from "../../kit/text/words.ts";
import { useFolders } from "../../kit/files/use-folders.tsx";
import { useNotices } from "../use-notices.tsx";
import { useOverlays } from "./use-overlays.tsx";

export interface SaveWish {
  readonly title: string;
  /** What will be in the file. */
  readonly words: string;
  /** Its name, unless another is typed. */
  readonly filename: string;
  readonly onTarget: (target: SaveTarget) => void;
}

/** Why nothing can be saved under a path, before anything is fetched for it; undefined where it can. */
async function obstacleOf(path: string, facts: Stats | undefined): Promise<string | undefined> {
  // A device or a pipe of that name would be replaced by a file.
  if (facts !== undefined && !facts.isFile()) return "it is not a file";
  try {
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return writeErrorWords(error);
  }
}

/** Asks where to save a file, and again before one that is there is replaced. */
export function useSavePath(): (wish: SaveWish) => void {
  const overlays = useOverlays();
  const { sayFailure } = useNotices();
  const { currentDirectory, homeDirectory } = useFolders();

  const check = async (
    path: string,
    typed: string,
    wish: SaveWish,
    isInFolder = false,
  ): Promise<void> => {
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isDirectory() === true) return check(join(path, wish.filename), typed, wish, true);
    // A file under the name of a folder that was meant is not found, and in the way of the folder.
    const lacksFolder = !isInFolder && (typed.endsWith("/") || typed.endsWith(sep));
    const obstacle = lacksFolder ? "there is no such folder" : await obstacleOf(path, facts);
    if (obstacle !== undefined) return ask(wish, typed, `nothing can be saved there: ${obstacle}`);
    if (facts === undefined) return wish.onTarget({ path, mayReplace: false });
    overlays.show({
      kind: "confirm",
      question: {
        title: "Replace this file",
        effects: [
          `${path}, ${sizeWords(facts.size)}, of ${localTimeWords(facts.mtimeMs)}`,
          "what is in it now is lost",
        ],
        onConfirm: () => wish.onTarget({ path, mayReplace: true }),
      },
    });
  };

  /** What was typed stays in the line until it is another. */
  const ask = (wish: SaveWish, initial: string, problem?: string) =>
    overlays.show({
      kind: "ask",
      question: {
        title: wish.title,
        words: wish.words,
        initial,
        placeholder: "a path",
        problemOf: (text) => (text === initial ? problem : undefined),
        onAnswer: (typed) => {
          const path = absolutePath(typed, currentDirectory, homeDirectory);
          check(path, typed, wish).catch(sayFailure);
        },
      },
    });

  return (wish) => ask(wish, join(currentDirectory, wish.filename));
}
