import { shellKeys, type ShellKeys } from "../keys.ts";
import { editInput, formData } from "../../kit/forms/form-model.ts";
import { FormFields, formWidths, isSmallForm } from "../../kit/forms/form-fields.tsx";
import {
  hasFiles,
  type FormSession,
  decide,
  editDecided,
  differencesOf,
} from "../../kit/forms/form-session.ts";
import { Overlay, type DialogProps, type OverlayArea } from "../../kit/dialogs/overlay.tsx";
import { keyName } from "../../kit/keys/keys.ts";
import { useStore } from "../../kit/state/store.ts";
import { fitText, wrapText } from "../../kit/text/text-layout.ts";
import { Area, Line } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/panes/waiting.tsx";
import { useFormKeys } from "./use-form-keys.ts";
import { useFormSession } from "./use-form-session.ts";
import { useForms, type FormRequest } from "./forms.ts";
import { sideOf, type Decisions, type ThreeVersions } from "../../kit/forms/merge.ts";
import { comparisonLines } from "../../kit/forms/comparison-lines.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { memberNamesPart } from "../platform/member-names.ts";
import { useNames } from "../platform/names.ts";
import { settle } from "../../kit/cursor/list-cursor.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import type { Token } from "../../kit/theme/skin.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";

const longestList = 8;
const nothingDecided: Decisions = new Map();

const changedBy = {
  me: "changed by you",
  them: "changed by them",
  both: "changed by both",
} as const;

function decisionWords(three: ThreeVersions, decisions: Decisions): [string, Token] {
  const side = sideOf(three, decisions);
  if (side === undefined) return ["? mine or theirs", "warn"];
  return side === "mine" ? ["✓ mine", "good"] : ["✓ theirs", "good"];
}

/** The differences of a form to a newer version of its record, and the value to save for each. */
function ConflictView(props: {
  readonly session: FormSession;
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
  readonly onChange: (next: (now: FormSession) => FormSession) => void;
  readonly onSave: () => void;
}) {
  const { session, active, width, height, onChange, onSave } = props;
  const { conflict } = session;
  const by = conflict?.theirs.by ?? "";
  const name = useNames(memberNamesPart, [by])(by) ?? by;
  // An id means nothing to a reader.
  const who = name === by ? "Another user" : name;
  const threes = differencesOf(session);
  const decisions = conflict?.decisions ?? nothingDecided;
  const rows = listHeight(threes, height);
  const cursor = settle({ index: session.row, top: 0 }, threes.length, rows);
  const move = (step: number) =>
    onChange((now) => ({
      ...now,
      row: Math.max(0, Math.min(now.row + step, differencesOf(now).length - 1)),
    }));
  useKeys<ShellKeys>(
    "conflict",
    {
      up: (count) => move(-count),
      down: (count) => move(count),
      takeMine: () => onChange((now) => decide(now, "mine", "this")),
      takeTheirs: () => onChange((now) => decide(now, "theirs", "this")),
      takeAllMine: () => onChange((now) => decide(now, "mine", "all")),
      takeAllTheirs: () => onChange((now) => decide(now, "theirs", "all")),
      editField: () => onChange(editDecided),
      save: onSave,
      close: () => onChange((now) => ({ ...now, comparing: false })),
    },
    { active },
  );
  const selected = threes[cursor.index];
  const side = selected && sideOf(selected, decisions);
  const room = Math.max(0, height - rows - 2);
  const values =
    selected === undefined ? [] : comparisonLines(selected, side, { width, height: room });
  const head = `${who} saved version ${conflict?.theirs.version ?? ""} while you were at version ${session.version ?? ""}.`;
  return (
    <Area height={height}>
      <Line as="warn">{fitText(` ${head}`, width)}</Line>
      <TextLines
        lines={threes.map((three, index) =>
          listLine(three, index === cursor.index, width, decisions),
        )}
        top={cursor.top}
        width={width}
        height={rows}
      />
      <Line> </Line>
      <TextLines lines={values} top={0} width={width} height={room} />
    </Area>
  );
}

function listLine(
  three: ThreeVersions,
  isSelected: boolean,
  width: number,
  decisions: Decisions,
): StyledLine {
  const [words, as] = decisionWords(three, decisions);
  const name = fitText(headingOf(three.name), Math.min(28, Math.floor(width / 3)));
  const left = `${isSelected ? " ▸" : "  "} ${name}  `;
  const middle = fitText(changedBy[three.changedBy], 17);
  if (isSelected) return [{ text: fitText(`${left}${middle}${words}`, width), as: "selected" }];
  return [{ text: left }, { text: middle, as: "quiet" }, { text: words, as }];
}

function listHeight(threes: readonly ThreeVersions[], height: number): number {
  return Math.max(1, Math.min(threes.length, longestList, Math.floor((height - 2) / 2)));
}

const smallWidth = 90;
/** The row below the fields, which says what is going on. */
const statusRows = 1;
const helpRows = 2;
const problemRows = 4;
/** Rows that the part below the fields has at least, if these leave some. */
const belowRows = 11;
const leastFields = 5;

function changeNotice(session: FormSession): string | undefined {
  const { conflict, isGone, isRenewed } = session;
  const save = keyName(shellKeys.save);
  if (isGone) {
    const without = hasFiles(session) ? ", without its files" : "";
    return `This record was deleted meanwhile: ${save} creates it again${without}`;
  }
  if (conflict !== undefined) {
    return `Version ${conflict.theirs.version} was saved meanwhile: ${save} merges it with yours`;
  }
  return isRenewed ? "The type was changed meanwhile: these are its fields now" : undefined;
}

/** The open form, over the screen; nothing while no form is open. */
export function FormView(props: OverlayArea) {
  const forms = useForms();
  const shown = useStore(forms.shown);
  if (shown === undefined) return null;
  return <OpenForm key={shown.id} request={shown.request} onClose={forms.close} {...props} />;
}

function OpenForm(props: DialogProps & { readonly request: FormRequest }) {
  const { request, onClose, ...area } = props;
  const live = useFormSession(request, onClose);
  const { session, faults, saving } = live;
  const { form, comparing } = session;
  const { fields } = form.subject;
  const { Below } = request;
  const isSmall = Below === undefined && isSmallForm(request.subject);
  const width = isSmall ? Math.min(area.columns, smallWidth) : area.columns;
  const inner = width - 2;
  const widths = formWidths(form, inner);
  useFormKeys(request, live, widths.value, onClose);

  const problems = [...live.problem, ...faults.others]
    .flatMap((line) => wrapText(line, inner - 4))
    .slice(0, problemRows);
  const notice = comparing ? undefined : changeNotice(session);
  const height =
    isSmall && !comparing
      ? Math.min(2 * fields.length + helpRows + problemRows + 3, area.rows)
      : area.rows;
  const free = height - 2 - problems.length - (notice === undefined ? 0 : 1) - statusRows;
  const fieldRows = Math.max(leastFields, Math.min(free - belowRows, fields.length + helpRows + 1));
  const belowHeight = Below === undefined || comparing ? 0 : free - fieldRows;
  const body = free - belowHeight;
  return (
    <Overlay {...area} title={request.title} width={width} height={height}>
      {problems.map((line, index) => (
        <Line key={index} as="bad">
          {index === 0 ? " ✗ " : "   "}
          {line}
        </Line>
      ))}
      {notice === undefined ? null : <Line as="warn">{fitText(` ${notice}`, inner)}</Line>}
      {comparing ? (
        <ConflictView
          session={session}
          active={!saving}
          width={inner}
          height={body}
          onChange={live.change}
          onSave={live.save}
        />
      ) : (
        <FormFields
          form={form}
          faults={faults}
          widths={widths}
          height={body}
          active={!saving}
          onEdit={(change) => live.changeForm((now) => editInput(now, change))}
        />
      )}
      {Below === undefined || belowHeight < 2 ? null : (
        <Below data={formData(form)} width={inner} height={belowHeight} />
      )}
      <Area height={statusRows}>
        {saving ? <Waiting words="saving" /> : null}
        {fields.length === 0 ? <Line as="quiet"> There is nothing to fill in.</Line> : null}
      </Area>
    </Overlay>
  );
}
