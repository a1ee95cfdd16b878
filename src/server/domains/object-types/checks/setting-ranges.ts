import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { settingRanges } from "#contract/apps/setting-ranges.ts";
import type { RecordCheck } from "#contract/object-types/record.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import { isJsonObject } from "#lib/json/value.ts";

/**
 * The check of a configuration type, which also refuses settings of answers out of their ranges: in
 * `config` and in each stage. Other types keep their check.
 */
export function withSettingRanges(slug: string, check: RecordCheck): RecordCheck {
  if (!isConfigurationType(slug)) return check;
  return (data, options) => {
    const checked = check(data, options);
    const { stages } = data;
    const places: [unknown, (string | number)[]][] = [[data["config"], ["config"]]];
    if (Array.isArray(stages)) {
      stages.forEach((stage, at) => places.push([stage, ["stages", at]]));
    }
    const faults = places.flatMap(([settings, path]) =>
      faultsOf(settings, [...(options.base ?? []), ...path]),
    );
    // A long pattern adds its fault to the list of the check later.
    return faults.length === 0 ? checked : { ...checked, faults: [...checked.faults, ...faults] };
  };
}

function faultsOf(settings: unknown, path: readonly (string | number)[]): Fault[] {
  if (!isJsonObject(settings)) return [];
  return Object.entries(settingRanges).flatMap(([name, { least, most }]) => {
    const value = settings[name];
    if (value === undefined || value === null) return [];
    if (typeof value === "number" && value >= least && value <= most) return [];
    const detail = `must be a number from ${least} to ${most}`;
    return [{ pointer: pointer(...path, name), detail }];
  });
}
