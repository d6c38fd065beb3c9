import type { Scenario } from '../../lib/explore/scenario.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';

/** All scenarios; each is beside its domain, in `test/<domain>/explored`. */
export const scenarios: readonly Scenario[] = [twoPhones];
