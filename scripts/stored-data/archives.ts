import type { RecordedPlatform } from "./recorded-platform.ts";

/** Makes an archive of `main`, and a child of `council` that has its content. */
export async function makeArchives(
  platform: RecordedPlatform,
  { council, main }: { readonly council: string; readonly main: string },
): Promise<string> {
  const archives = `/v4/platform/tenants/${main}/archives`;
  const archive = `${archives}/${(await platform.call("POST", archives, { body: {} })).text("id")}`;
  const isDone = "succeeded";
  await platform.until(archive, {}, (answer) => answer.text("status") === isDone);
  const children = `/v4/platform/tenants/${council}/children`;
  const body = { slug: "annex", displayName: "Annex", usecase: "council" };
  const annex = (await platform.call("POST", children, { body })).text("id");
  await platform.call("POST", `${children}/${annex}/bootstrap-admin`);
  const { bytes } = await platform.call("GET", `${archive}/content`);
  const imports = `/v4/platform/tenants/${annex}/archive-imports`;
  const headers = { "content-type": "application/octet-stream" };
  const sent = { headers, body: new Blob([bytes]) };
  const imported = `${imports}/${(await platform.call("POST", imports, sent)).text("id")}`;
  await platform.until(imported, {}, (answer) => answer.text("status") === isDone);
  return imported;
}
