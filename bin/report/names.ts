/** Shortens names from the data to the room in the plots. The tables below the plots have the whole names. */

/** The length of a name beside a plot; above the plot there is more room. */
const beside = 22;
export const above = 60;

export function shortened(name: string, longest = beside): string {
  const characters = [...name];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : name;
}

const collator = new Intl.Collator('en', { numeric: true });

/** 2.9.0 is before 2.10.0. */
export function byVersion(one: string, other: string): number {
  return collator.compare(one, other);
}

export const otherVersions = 'others';

/**
 * The name of each version in the plot. An app can send any version, so only the most frequent ones have their own name.
 *
 * @param most the highest number of names, including the one for all other versions
 */
export function plottedNames(
  points: readonly { readonly version: string; readonly devices: number }[],
  most: number,
): ReadonlyMap<string, string> {
  const totals = new Map<string, number>();
  for (const { version, devices } of points) totals.set(version, (totals.get(version) ?? 0) + devices);
  const ranked = [...totals].toSorted(([, one], [, other]) => other - one).map(([version]) => version);
  const own = new Set(ranked.slice(0, ranked.length > most ? most - 1 : most));
  return new Map(ranked.map((version) => [version, own.has(version) ? shortened(version) : otherVersions]));
}

/**
 * The points whose names have room at the end of their areas: the largest of each agreement, and all with at least a fifth of the
 * height of a plot.
 */
export function labelled<T extends { readonly agreement: string; readonly people: number }>(last: readonly T[]): T[] {
  const groups = [...Map.groupBy(last, ({ agreement }) => agreement).values()];
  const highest = Math.max(0, ...groups.map((group) => group.reduce((sum, { people }) => sum + people, 0)));
  return groups.flatMap((group) => {
    const largest = Math.max(...group.map(({ people }) => people));
    const first = group.find(({ people }) => people === largest);
    return group.filter((point) => point.people > 0 && (point === first || point.people >= highest / 5));
  });
}
