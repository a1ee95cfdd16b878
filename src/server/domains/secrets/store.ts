import type { Reader, Writer } from "../../database/database.ts";
import { statement } from "../../database/statement.ts";

export async function secret(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader.first<{ value: string }>(
    statement`select value from secrets where name = ${name}`,
  );
  return row?.value;
}

/** Adds the secret if there is none with this name; returns the stored value. */
export async function ensureSecret(
  writer: Writer,
  name: string,
  value: string,
  createdAt: string,
): Promise<string> {
  await writer.run(statement`insert into secrets (name, value, created_at)
    values (${name}, ${value}, ${createdAt}) on conflict (name) do nothing`);
  return (await secret(writer, name)) ?? value;
}

export async function putSecret(
  writer: Writer,
  name: string,
  value: string,
  createdAt: string,
): Promise<void> {
  await writer.run(statement`insert into secrets (name, value, created_at)
    values (${name}, ${value}, ${createdAt})
    on conflict (name) do update set value = excluded.value`);
}

/** Replaces the secret if it still has this value. */
export async function replaceSecret(
  writer: Writer,
  name: string,
  value: string,
  next: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update secrets set value = ${next}
    where name = ${name} and value = ${value}`);
  return changedRows > 0;
}
