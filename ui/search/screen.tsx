import { commonKeys } from "../kit/keys/base-keys.ts";
import { searchKeys } from "./keys.ts";
import type { ObjectType, SearchResult } from "#client/index.ts";
import { failureTexts, type Failure } from "../kit/answers/failure.ts";
import { nameIn } from "../kit/data-fields/record-columns.ts";
import { Overlay } from "../kit/dialogs/overlay.tsx";
import { PromptField } from "../kit/input/text-input.tsx";
import { fieldText } from "../kit/input/text-field.ts";
import { keyName } from "../kit/keys/keys.ts";
import { visibleRows } from "../kit/cursor/list-cursor.ts";
import { clipText, fitText, textWidth } from "../kit/text/text-layout.ts";
import { countWords } from "../kit/text/words.ts";
import { Area, Line, Lines, Paint } from "../kit/theme/paint.tsx";
import type { SearchProps } from "../shell/parts.ts";
import { knownType } from "../shell/platform/use-object-types.ts";
import { usePlatformLink } from "../shell/platform/use-platform.ts";
import { isTooShort, longestQuery, resultsAtOnce, type SearchTarget } from "./use-search.ts";
import { useSearchDialog, type SearchDialog } from "./use-search-dialog.ts";
import { contentSpans, highlightSpans, scoreWords } from "./words.ts";

/** Rows of one result: the record, and its matching text. */
const resultRows = 2;
const widest = 120;
/** Columns from which the parts of a score fit next to a name. */
const partsFrom = 72;
const border = 2;
const headRows = 2;

export function SearchScreen(props: SearchProps) {
  const { objectType: startType, onClose, ...area } = props;
  const width = Math.min(widest, area.columns);
  const inner = width - border;
  const height = Math.max(headRows + resultRows + border, area.rows - 2);
  const visible = Math.max(1, Math.floor((height - border - headRows) / resultRows));
  const dialog = useSearchDialog(startType, visible, onClose);
  const { field, mode, target, results, cursor } = dialog;
  const { failure } = dialog.search;
  const platform = usePlatformLink();
  const isOneType = target.kind !== "all";
  return (
    <Overlay {...area} title={`Search ${targetName(target)}`} width={width} height={height}>
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder={target.kind === "documents" ? "words of a document" : "words of a record"}
        onEdit={dialog.edit}
      />
      <Line as="quiet">
        {" "}
        <Paint as="key">{mode}</Paint>
        {factsOf(dialog).join(" · ")}
      </Line>
      <Area height={height - border - headRows}>
        {failure !== undefined && !isTooShort(fieldText(field).trim()) ? (
          <FailureLines failure={failure} width={inner - 2} />
        ) : (
          visibleRows(results, cursor, visible).map(({ row, isSelected }) => (
            <FoundRecord
              key={`${row.type} ${row.id}`}
              result={row}
              selected={isSelected}
              width={inner}
              isOneType={isOneType}
              type={knownType(platform, row.type)}
            />
          ))
        )}
      </Area>
    </Overlay>
  );
}

/** Facts of the search, the least important last: a narrow screen cuts them off. */
function factsOf(dialog: SearchDialog): string[] {
  const { field, nextTarget, search } = dialog;
  const text = fieldText(field).trim();
  const embedding = search.value?.embedding;
  return [
    ` (${keyName(searchKeys.searchMode)} another)`,
    ...(text.length > longestQuery ? [`its first ${longestQuery} characters`] : []),
    ...stateWords(text, dialog),
    `${keyName(searchKeys.searchTypes)} ${clipText(targetName(nextTarget), 40)}`,
    ...(embedding === undefined ? [] : [`vectors: ${clipText(embedding, 24)}`]),
  ];
}

function targetName(target: SearchTarget): string {
  if (target.kind === "type") return target.objectType;
  return target.kind === "all" ? "all types" : "documents";
}

function stateWords(text: string, { search, results }: SearchDialog): string[] {
  if (isTooShort(text)) return ["type at least two letters"];
  if (search.asking || !search.isCurrent) return ["looking …"];
  if (search.failure !== undefined) return [];
  const count = countWords(results.length);
  return [results.length < resultsAtOnce ? `${count} found` : `the best ${count}`];
}

function FailureLines(props: { readonly failure: Failure; readonly width: number }) {
  const [head, ...rest] = failureTexts(props.failure);
  const clipped = (text: string) => clipText(text, props.width);
  return (
    <>
      <Lines lines={[clipped(`✗ ${head}`)]} as="bad" margin={1} />
      <Lines
        lines={[...rest, `${keyName(commonKeys.choose)} tries again`].map(clipped)}
        as="quiet"
        margin={1}
      />
    </>
  );
}

function FoundRecord(props: {
  readonly result: SearchResult;
  readonly selected: boolean;
  readonly width: number;
  readonly isOneType: boolean;
  readonly type: ObjectType | undefined;
}) {
  const { result, selected, width, isOneType, type } = props;
  const { score, scores, highlights = [] } = result;
  const parts = `  text ${scoreWords(scores?.fulltext)}  vector ${scoreWords(scores?.vector)}`;
  const figures = `  ${scoreWords(score)}${width < partsFrom ? "" : parts} `;
  const name = `${nameIn(result.data, type) ?? result.id}${isOneType ? "" : `  ${result.type}`}`;
  const head = fitText(`${selected ? "▸" : " "} ${name}`, width - textWidth(figures));
  const [first] = highlights;
  const room = width - 4;
  const spans = first === undefined ? contentSpans(result, room) : highlightSpans(first, room);
  return (
    <>
      {selected ? (
        <Line as="selected">{head + figures}</Line>
      ) : (
        <Line>
          {head}
          <Paint as="quiet">{figures}</Paint>
        </Line>
      )}
      <Line>
        {"    "}
        {spans.map((span, index) => (
          <Paint key={index} as={span.as ?? "text"}>
            {span.text}
          </Paint>
        ))}
      </Line>
    </>
  );
}
