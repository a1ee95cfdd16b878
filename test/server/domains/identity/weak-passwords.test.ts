import { expect, test } from "vitest";
import { isWeak } from "#server/domains/identity/weak-passwords.ts";

const about = ["anna", "meier", "example"];

test.each([
  "password1234",
  "P@ssw0rd2026!",
  "qwertyuiop12",
  "letmein12345",
  "adminadmin2024",
  "iloveyou1234",
  "Summer-Winter-2026",
  "anna.meier.1999",
  "abcdefghijkl",
  "1q2w3e4r5t6y",
  "northwind-council",
  "123456789012",
  "password".repeat(32),
])("the password %s is weak", (password) => {
  expect(isWeak(password, about)).toBe(true);
});

test.each([
  "correct horse battery staple",
  "tulip-harbour-93-quartz",
  "xk29vmq81lzr",
  "a password that I chose",
  "aé1x".repeat(64),
])("the password %s is not weak", (password) => {
  expect(isWeak(password, about)).toBe(false);
});
