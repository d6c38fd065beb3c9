import type { Person } from '../../../lib/contract/personal-data.ts';

// @ts-expect-error TS2322: is not assignable to type 'Person'
export const user: Person = { who: 'the user', found: 'partition', onErasure: 'erase' };
