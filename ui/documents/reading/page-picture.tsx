import { keyName } from "../../kit/keys/keys.ts";
import type { Size } from "../../kit/panes/layout.ts";
import { Pane, paneBorder } from "../../kit/panes/pane.tsx";
import { Empty, Failed, Skeleton } from "../../kit/panes/states.tsx";
import { PictureArea, usePictureMode } from "../../kit/picture/picture-area.tsx";
import { mostCells } from "../../kit/picture/kitty.ts";
import { picturesPart } from "../../kit/picture/terminal-pictures.ts";
import { spokenPart } from "../../kit/spoken/spoken.ts";
import { usePart } from "../../kit/state/part.ts";
import { useStore } from "../../kit/state/store.ts";
import { useForms } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { documentKeys } from "../keys.ts";
import { usePagePicture } from "./use-page-picture.ts";

/** Widths that the platform draws. */
const [narrowest, widest] = [16, 2_000];

/** Why the pictures of pages are not shown; undefined where they are. */
export function usePictureRefusal(): string | undefined {
  const { setting } = usePart(picturesPart);
  if (usePart(spokenPart).isSpoken) return "a picture can't be read aloud: t has the text";
  return setting === false ? "pictures are off: svc config set pictures true" : undefined;
}

interface PagePictureProps extends Size {
  readonly documentId: string;
  readonly number: number;
  readonly pages: number | undefined;
  readonly focused: boolean;
}

/** The picture of a page, or why there is none and what to do. */
export function PagePicture(props: PagePictureProps) {
  const { documentId, number, pages, focused, width, height } = props;
  const mode = usePictureMode();
  const overlay = useStore(useOverlays().shown);
  const form = useStore(useForms().shown);
  const area = { width: width - paneBorder, height: height - paneBorder };
  const dots = mode ? Math.min(area.width, mostCells) * mode.cell.width : undefined;
  const wanted = dots && Math.min(widest, Math.max(narrowest, dots));
  const { png, failure, fail } = usePagePicture(documentId, number, wanted);
  const close = `${keyName(documentKeys.picture)} shows the text again`;
  const facts = [`page ${number}${pages === undefined ? "" : ` of ${pages}`}`];
  return (
    <Pane title="Picture" facts={facts} width={width} height={height} focused={focused}>
      {mode === null ? (
        <Empty
          {...area}
          words="This terminal draws no pictures: it knows neither kitty's placeholders nor sixel."
          next={`svc docs content ${documentId} --as picture --page ${number} --output . saves it; ${close}.`}
        />
      ) : failure !== undefined ? (
        <Failed {...area} failure={failure} next={close} />
      ) : mode && png ? (
        <PictureArea
          {...area}
          png={png}
          mode={mode}
          isCovered={overlay !== undefined || form !== undefined}
          onFailure={fail}
        />
      ) : (
        <Skeleton {...area} words={`Drawing page ${number}`} />
      )}
    </Pane>
  );
}
