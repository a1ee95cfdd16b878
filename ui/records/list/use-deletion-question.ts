import { counted } from "#lib/text/counted.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { clipText } from "../../kit/text/text-layout.ts";
import { useNotices } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useRouter } from "../../shell/router.ts";
import { useCommandLines, type WriteCommand } from "../../shell/use-copy.ts";
import { recordKeys } from "../keys.ts";
import type { DeletionEffects } from "./deletion-preview.ts";
import type { MarkedRecord } from "./use-marks.ts";

/** Records that a question or an outcome names. */
const namedRecords = 6;
/** Ids that a command has. */
const namedIds = 100;
/** The maximum width of a name in the question. */
const longestName = 60;

export interface BatchDelete {
  readonly objectType: string;
  readonly chosen: readonly MarkedRecord[];
  /** Gets the ids of the records that exist or may exist. */
  readonly onEnd: (left: ReadonlySet<string>) => void;
}

/** The command that deletes these records; `undefined` for too many of them. */
function deleteCommand(
  objectType: string,
  chosen: readonly MarkedRecord[],
  write: WriteCommand,
): string | undefined {
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) {
    return write(["resources", "delete", objectType, only.id], { force: true });
  }
  if (chosen.length > namedIds) return undefined;
  const data = JSON.stringify(chosen.map(({ id }) => id));
  return write(["resources", "batch-delete", objectType], { data });
}

/** The first lines, and the number of the others. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - namedRecords;
  return more > 0
    ? [...lines.slice(0, namedRecords), `and ${counted(more, "record")} more`]
    : [...lines];
}

type Start = (request: BatchDelete) => void;

/** Returns the question before a deletion; `start` runs after a yes. */
export function useDeletionQuestion() {
  const overlays = useOverlays();
  const commands = useCommandLines();
  const refuse = useRefusal();

  /** Asks once: `y` where a restore can follow, else the slug is typed. */
  return (request: BatchDelete, effects: DeletionEffects | undefined, start: Start) => {
    const { objectType, chosen } = request;
    const [first] = chosen;
    if (first === undefined) return;
    const isOne = chosen.length === 1;
    if (isOne && effects !== undefined && effects.stay > 0) return refuse(request, effects);
    const what = isOne ? first.name : counted(chosen.length, "record");
    const lines = chosen.map(
      ({ name, version }) => `${objectType} ${clipText(name, longestName)}, version ${version}`,
    );
    const others =
      effects?.lines ??
      (isOne ? [] : ["records that refer to them may change too, or keep some of them"]);
    const stay = effects?.stay ?? 0;
    overlays.confirm({
      title: `Delete ${what}`,
      effects: [
        ...(isOne ? [] : [`${what} of the type ${objectType}:`]),
        ...firstLines(lines),
        ...others,
        ...(stay === 0 ? [] : [`${counted(stay, "record")} will stay: others refer to it`]),
        `with ${isOne ? "its" : "their"} files; ${keyName(recordKeys.undo)} or \`svc resources restore\` brings ${isOne ? "it" : "them"} back`,
      ],
      command: deleteCommand(objectType, chosen, commands.inWorkspace),
      typed: effects === undefined ? objectType : undefined,
      onConfirm: () => start(request),
    });
  };
}

/** Offers the records that refer to one, which must be changed before its deletion. */
function useRefusal() {
  const overlays = useOverlays();
  const { go } = useRouter();
  const { say } = useNotices();
  return ({ chosen: [record] }: BatchDelete, effects: DeletionEffects) => {
    const { blockers, blockedBy } = effects;
    const name = record?.name ?? "";
    if (blockedBy === 0) return say("failed", `${name} has too many dependent records to delete`);
    if (blockers.length === 0) {
      return say("failed", `${name} stays: ${counted(blockedBy, "reference")} to it`);
    }
    overlays.choose({
      title: `${clipText(name, longestName)} stays: ${counted(blockedBy, "reference")} to it`,
      placeholder: "a record that refers to it",
      choices: blockers.map(({ objectType, id, property, name: words }) => ({
        id: `${id} ${property}`,
        words: `${objectType} ${words}`,
        note: property,
        choose: () => go({ place: "resources", objectType, recordId: id }),
      })),
    });
  };
}
