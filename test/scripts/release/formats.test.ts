import { describe, expect, test } from "vitest";
import { checkFormat, repairSignature } from "../../../scripts/release/formats.ts";
import { releaseTargets, type ReleaseTarget } from "../../../scripts/release/targets.ts";

function targetOf(name: string): ReleaseTarget {
  const target = releaseTargets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  return target;
}

const pageSize = 4096;
const pages = 3;
const limit = pages * pageSize - 100;
const hashOffset = 64;

/** A Mach-O file of three pages for arm64, with an ad-hoc signature after them. */
function machO(): Uint8Array {
  const bytes = new Uint8Array(pages * pageSize + 512);
  bytes.fill(7, 100, limit);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xfeed_facf, true);
  view.setUint32(4, 0x0100_000c, true);
  view.setUint32(16, 1, true);
  view.setUint32(32, 0x1d, true);
  view.setUint32(36, 16, true);
  const blob = pages * pageSize;
  view.setUint32(40, blob, true);
  view.setUint32(blob, 0xfade_0cc0);
  view.setUint32(blob + 8, 1);
  view.setUint32(blob + 16, 20);
  const directory = blob + 20;
  view.setUint32(directory, 0xfade_0c02);
  view.setUint32(directory + 16, hashOffset);
  view.setUint32(directory + 28, pages);
  view.setUint32(directory + 32, limit);
  view.setUint8(directory + 36, 32);
  view.setUint8(directory + 37, 2);
  view.setUint8(directory + 39, 12);
  return bytes;
}

describe("an executable for macOS", () => {
  test("is refused until each page of its signature fits", () => {
    const bytes = machO();
    const target = targetOf("macos-arm64");
    expect(() => checkFormat(target, bytes)).toThrow("has 3 of 3 pages unsigned");
    expect(repairSignature(bytes)).toBe(3);
    expect(repairSignature(bytes)).toBe(0);
    checkFormat(target, bytes);
    const first = Bun.SHA256.hash(bytes.subarray(0, pageSize), "hex");
    const slot = pages * pageSize + 20 + hashOffset;
    expect(Buffer.from(bytes.subarray(slot, slot + 32)).toString("hex")).toBe(first);
    bytes[pageSize] = 8;
    expect(() => checkFormat(target, bytes)).toThrow("has 1 of 3 pages unsigned");
    expect(repairSignature(bytes)).toBe(1);
    checkFormat(target, bytes);
    expect(() => checkFormat(targetOf("macos-x64"), bytes)).toThrow("another processor");
  });

  test("is refused without a signature", () => {
    const bytes = machO();
    new DataView(bytes.buffer).setUint32(16, 0, true);
    expect(() => checkFormat(targetOf("macos-arm64"), bytes)).toThrow("0 of 0 pages");
  });
});

test("an executable for Windows has the right processor", () => {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  expect(() => checkFormat(targetOf("windows-x64"), bytes)).toThrow("PE format");
  view.setUint16(0, 0x4d5a);
  view.setUint32(0x3c, 128, true);
  view.setUint32(128, 0x5045_0000);
  view.setUint16(132, 0xaa64, true);
  expect(() => checkFormat(targetOf("windows-x64"), bytes)).toThrow("another processor");
  view.setUint16(132, 0x8664, true);
  checkFormat(targetOf("windows-x64"), bytes);
});
