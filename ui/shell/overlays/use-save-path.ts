import { constants, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { writeErrorWords } from "#lib/system-error.ts";
import { absolutePath } from "../../kit/files/files.ts";
import type { SaveTarget } from "../../kit/files/save-file.ts";
import { useHost } from "../host.ts";
import { localTimeWords, sizeWords } from "../../kit/text/words.ts";
import { useNotices } from "../notices.ts";
import { useOverlays } from "./overlays.ts";

export interface SaveRequest {
  readonly title: string;
  readonly words: string;
  /** The command that writes the same file. */
  readonly command?: string | undefined;
  readonly filename: string;
  /** A path that was typed already, which is asked for again only if it can't be written. */
  readonly typed?: string | undefined;
  readonly onTarget: (target: SaveTarget) => void;
}

/** Why a path can't be written, before its content is fetched; undefined where it can. */
async function obstacleOf(path: string, facts: Stats | undefined): Promise<string | undefined> {
  // A device or a pipe would be replaced by a file.
  if (facts !== undefined && !facts.isFile()) return "it is not a file";
  try {
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return writeErrorWords(error);
  }
}

export function useSavePath(): (request: SaveRequest) => void {
  const overlays = useOverlays();
  const { sayFailure } = useNotices();
  const { currentDirectory, homeDirectory } = useHost();

  const check = async (request: SaveRequest, typed: string): Promise<void> => {
    let path = absolutePath(typed, currentDirectory, homeDirectory);
    let facts = await stat(path).catch(() => undefined);
    if (facts?.isDirectory() !== true && (typed.endsWith("/") || typed.endsWith(sep))) {
      return ask(request, typed, "there is no such folder");
    }
    while (facts?.isDirectory() === true) {
      path = join(path, request.filename);
      facts = await stat(path).catch(() => undefined);
    }
    const obstacle = await obstacleOf(path, facts);
    if (obstacle !== undefined) return ask(request, typed, obstacle);
    if (facts === undefined) return request.onTarget({ path, mayReplace: false });
    overlays.show({
      kind: "confirm",
      question: {
        title: "Replace this file",
        effects: [
          `${path}, ${sizeWords(facts.size)}, of ${localTimeWords(facts.mtimeMs)}`,
          "its content is lost",
        ],
        onConfirm: () => request.onTarget({ path, mayReplace: true }),
      },
    });
  };

  const ask = (request: SaveRequest, initial: string, obstacle?: string) =>
    overlays.ask({
      title: request.title,
      words: request.words,
      command: request.command,
      initial,
      placeholder: "a path",
      problemOf: (text) =>
        obstacle !== undefined && text === initial
          ? `nothing can be saved there: ${obstacle}`
          : undefined,
      onAnswer: (typed) => void check(request, typed).catch(sayFailure),
    });

  return (request) => {
    const { typed } = request;
    if (typed === undefined) return ask(request, join(currentDirectory, request.filename));
    return void check(request, typed).catch(sayFailure);
  };
}
