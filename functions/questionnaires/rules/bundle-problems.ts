import type { Bundle } from './bundle.ts';

/** What is wrong with a bundle that somebody wants to publish. Pure. */

export type BundleProblem = { readonly path: string; readonly message: string };

type Planned = Pick<Bundle, 'programmeId' | 'windows' | 'anchor' | 'everyDays' | 'openDays'>;

export function bundleProblems(bundle: Planned): BundleProblem[] {
  return bundle.anchor === 'window' ? problemsAtWindow(bundle) : problemsAtEntitlement(bundle);
}

/** It is due for everybody who has a sleep window, whatever the programme. */
function problemsAtWindow({ programmeId, windows, everyDays, openDays }: Planned): BundleProblem[] {
  const found: BundleProblem[] = [];
  if (programmeId !== null) found.push({ path: 'programmeId', message: 'must be null with the anchor window' });
  if (windows.length > 0) found.push({ path: 'windows', message: 'must be empty with the anchor window' });
  if (everyDays === undefined) found.push({ path: 'everyDays', message: 'is needed with the anchor window' });
  if (openDays === undefined) found.push({ path: 'openDays', message: 'is needed with the anchor window' });
  if (everyDays !== undefined && openDays !== undefined && openDays > everyDays) {
    // Two occurrences would be open at once.
    found.push({ path: 'openDays', message: 'must not be more than everyDays' });
  }
  return found;
}

function problemsAtEntitlement({ programmeId, windows, everyDays, openDays }: Planned): BundleProblem[] {
  const others = Object.entries({ everyDays, openDays }).flatMap(([path, days]) =>
    days === undefined ? [] : [{ path, message: 'belongs to the anchor window' }],
  );
  if (others.length > 0) return others;
  if ((programmeId === null) !== (windows.length === 0)) {
    return [{ path: 'windows', message: 'belong to a programme; without one a bundle is always open' }];
  }
  return windows.flatMap(({ windowId, fromDay, toDay }, index) => {
    const found: BundleProblem[] = [];
    if (toDay < fromDay) found.push({ path: `windows[${index}].toDay`, message: 'must not be before fromDay' });
    if (windows.findIndex((other) => other.windowId === windowId) < index) {
      found.push({ path: `windows[${index}].windowId`, message: 'is also the id of another window' });
    }
    // If two windows of one bundle were open at once, an answer could count for the wrong one.
    const overlaps = windows.slice(0, index).some((other) => fromDay <= other.toDay && other.fromDay <= toDay);
    if (overlaps) found.push({ path: `windows[${index}].fromDay`, message: 'is within another window' });
    return found;
  });
}
