import type { Concerns } from '../rules/window.ts';

/**
 * What a patient's questionnaires say against a sleep window. The questionnaires hand on no reader of scores and flags yet: until
 * they do there is nothing to ask, and a physician looks at them before releasing a window.
 */
export async function readConcerns(_userId: string): Promise<Concerns> {
  return { sleepiness: null, openFlags: 0 };
}
