import { limitsOf as awsLimitsOf, type Limit } from '../../lib/local/template/limits.ts';
import type { Stage } from './stage.ts';

/** Somewhat below what AWS allows, so that there is time to act. */
type OwnLimit = Limit & { readonly most: number };

export function limitsOf({ directory }: Stage): OwnLimit[] {
  return awsLimitsOf(directory).map((each) => ({ ...each, most: Math.floor(each.limit * shareOf(each.what)) }));
}

function shareOf(what: string): number {
  if (what.startsWith('consumers of ')) return 1;
  if (what.startsWith('parameters of ')) return 0.95;
  return what.startsWith('paths of ') ? 280 / 300 : 0.9;
}

export function exceeded(limits: readonly OwnLimit[]): OwnLimit[] {
  return limits.filter(({ found, most }) => found > most);
}
