import { useRoute } from "../shell/router.ts";
import { DocumentListScreen } from "./document-list.tsx";
import { DocumentReader } from "./document-reader.tsx";
import { ReviewQueue } from "./review-queue.ts";
import { TrashScreen } from "./trash-screen.ts";

export function DocumentsScreen() {
  const route = useRoute();
  if (route.place !== "documents") return null;
  const { documentId, citation, review, queue = false, trash = false } = route;
  if (documentId !== undefined) {
    return (
      <DocumentReader
        key={`${documentId} ${citation?.id ?? ""} ${review ?? ""}`}
        documentId={documentId}
        citation={citation}
        review={review}
      />
    );
  }
  if (trash) return <TrashScreen />;
  return queue ? <ReviewQueue /> : <DocumentListScreen />;
}
