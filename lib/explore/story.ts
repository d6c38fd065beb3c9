import type { Access } from './order.ts';
import type { Answer } from './scenario.ts';

/** The words of a story. */

/** By the outcome of a call; none is needed where it is simply done. */
export const words: Readonly<Record<string, string>> = {
  lost: 'done, but its answer is lost',
  throttled: 'throttled',
  refused: 'throttled at each try',
  conflict: 'refused, because another transaction is under way',
  'time-out': 'no answer in time, and not done',
  'dies-before': 'the function dies before it',
  'dies-after': 'done, and the function dies',
  stale: 'answers an earlier state',
  'stale-oldest': 'answers the oldest state',
  'short-page': 'gives a page of one',
  twice: 'and will get it again',
  'twice-at-once': 'and once more beside it',
  unheard: 'and will hear no answer',
  cold: 'in a new environment',
  one: 'only the first of them',
  another: 'the last one',
};

export function tablesOf(accesses: readonly Access[]): string {
  return [...new Set(accesses.map(({ place }) => place))].join('+');
}

export function described({ place, partition, sort }: Access): string {
  const value = (text: string) => Object.values(JSON.parse(text) as Record<string, string>)[0];
  const key = [partition, sort].flatMap((part) => (part ? [value(part)] : []));
  return key.length > 0 ? `${place}(${key.join(', ')})` : place;
}

export function codeOf({ body }: Answer): string {
  const { code } = (body.error ?? body) as { code?: string };
  return code ?? '';
}
