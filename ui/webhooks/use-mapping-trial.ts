import type { Client, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { formField, type FormField } from "../kit/forms/form-field.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useForms } from "../shell/forms/forms.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCommandLines } from "../shell/use-copy.ts";

interface Trial {
  readonly source: string;
  readonly name: string;
  readonly mapping: string | undefined;
  /** A call that was received, instead of a body to type. */
  readonly receivedId?: string | undefined;
}

function trialFields({ mapping, receivedId }: Trial): FormField[] {
  const program = formField("mapping", "mapping", {
    kind: "lines",
    isRequired: true,
    hint: "a jq program",
    fallback: mapping ?? "empty",
  });
  if (receivedId !== undefined) return [program];
  return [
    program,
    formField("body", "body", { kind: "json", isRequired: true, hint: '{"action":"opened"}' }),
    formField("headers", "header fields", { kind: "json", hint: '{"x-event":"issues"}' }),
  ];
}

function trialFaults(data: JsonObject) {
  const { headers } = data;
  const isFine =
    headers === undefined ||
    (isJsonObject(headers) && Object.values(headers).every((each) => typeof each === "string"));
  const detail = "must be a JSON object of texts";
  return isFine ? [] : [{ pointer: pointer("headers"), detail }];
}

function headersOf(data: JsonObject): Record<string, string> {
  const { headers } = data;
  if (!isJsonObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

type Outcome = Awaited<ReturnType<Client["webhookSources"]["test"]>>;

function outcomeLines({ effect, error }: Outcome): readonly string[] {
  if (error !== null) return ["The mapping failed:", error];
  if (effect === null) return ["The call would have no effect.", "The mapping gave no value."];
  return ["The call would have this effect:", ...JSON.stringify(effect, undefined, 2).split("\n")];
}

/** Returns a function that tries a mapping, and shows the effect that a call would have. */
export function useMappingTrial(): (trial: Trial) => void {
  const { client, tenantId } = usePlatform();
  const forms = useForms();
  const overlays = useOverlays();
  const commands = useCommandLines();
  return (trial) => {
    if (client === undefined) return;
    const { source, name, receivedId } = trial;
    const fields = trialFields(trial);
    const title = `Try the mapping of ${name}`;
    const bodyOf = (data: JsonObject) =>
      receivedId === undefined ? ownMember(data, "body") : undefined;
    forms.open({
      title,
      subject: { fields, data: initialData(fields), check: trialFaults },
      savesUnchanged: true,
      save: async (data) => {
        const body = {
          mapping: textIn(data, "mapping") ?? "empty",
          headers: headersOf(data),
          ...given({ receivedId, body: bodyOf(data) }),
        };
        const outcome = await client.webhookSources.test({ tenantId, params: { source }, body });
        overlays.work({
          title,
          counted: "",
          stop: "",
          run: () =>
            Promise.resolve({ good: outcome.error === null, lines: outcomeLines(outcome) }),
        });
        return undefined;
      },
      command: (data) =>
        commands.inWorkspace(["webhook", "source", "test", source], {
          mapping: textIn(data, "mapping") ?? "empty",
          call: receivedId,
          body: receivedId === undefined ? JSON.stringify(bodyOf(data) ?? null) : undefined,
        }),
    });
  };
}
