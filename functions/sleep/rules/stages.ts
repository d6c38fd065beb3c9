/** The stages of device nights, with HealthKit's names, and the names of other sources. */

/**
 * In the order of their values, 0 to 5:
 * https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis
 */
export const stages = ['inBed', 'asleepUnspecified', 'awake', 'asleepCore', 'asleepDeep', 'asleepREM'] as const;

export type Stage = (typeof stages)[number];

export const sources = ['healthkit', 'health-connect', 'fitbit'] as const;

export type Source = (typeof sources)[number];

/**
 * For each source, the stage that each of its names means. A name that does not mean sleep does not count as sleep:
 * Health Connect's `UNKNOWN` is only time in bed. Fitbit's `restless` is movement, "not necessarily" awake, and Fitbit
 * does not count it as sleep either.
 *
 * - https://developer.android.com/reference/kotlin/androidx/health/connect/client/records/SleepSessionRecord (`STAGE_TYPE_…`)
 * - https://dev.fitbit.com/build/reference/web-api/sleep/get-sleep-log-by-date-range/ (`levels.data.level`: classic and stages)
 */
const names: Readonly<Record<Source, Readonly<Record<string, Stage>>>> = {
  healthkit: {
    inBed: 'inBed',
    asleepUnspecified: 'asleepUnspecified',
    awake: 'awake',
    asleepCore: 'asleepCore',
    asleepDeep: 'asleepDeep',
    asleepREM: 'asleepREM',
  },
  'health-connect': {
    UNKNOWN: 'inBed',
    AWAKE: 'awake',
    SLEEPING: 'asleepUnspecified',
    OUT_OF_BED: 'awake',
    LIGHT: 'asleepCore',
    DEEP: 'asleepDeep',
    REM: 'asleepREM',
    AWAKE_IN_BED: 'awake',
  },
  fitbit: {
    wake: 'awake',
    light: 'asleepCore',
    deep: 'asleepDeep',
    rem: 'asleepREM',
    asleep: 'asleepUnspecified',
    restless: 'awake',
    awake: 'awake',
  },
};

/** @returns null for a name that the source does not have */
export function stageOf(source: Source, name: string): Stage | null {
  const ofSource = names[source];
  return Object.hasOwn(ofSource, name) ? (ofSource[name] ?? null) : null;
}
