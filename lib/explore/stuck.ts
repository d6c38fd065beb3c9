/** The story did not come to rest, or waits for something that the explorer does not decide. */
export class Stuck extends Error {}

/** What this process waits for: a hint, since other parts of it (a test runner) may wait, too. */
export function openResources(): string {
  const names = process
    .getActiveResourcesInfo()
    .filter((name) => !/^(TTYWrap|PipeWrap|MessagePort|Immediate)/.test(name));
  return names.length > 0 ? ` (this process has open: ${[...new Set(names)].join(', ')})` : '';
}
