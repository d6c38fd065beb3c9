import { hangs, isQuick, ownFaults } from './matrix.ts';
import { surviveAll } from './survive-all.ts';

/** The rest of the matrix, for one user at a time: what waits between two attempts, and what is never answered at all. */

surviveAll(
  'one user meets a fault',
  ownFaults.filter((each) => !isQuick(each)),
  { isConcurrent: true },
);
const once = hangs.filter(({ plan }) => plan.times === 1);
const forEver = hangs.filter((each) => !once.includes(each));
// The second try has to be in time, also on a machine that stalls.
surviveAll('one user meets what hangs once', once, { isConcurrent: true, patience: 3 });
surviveAll('one user meets what hangs for ever', forEver, { isConcurrent: true, patience: 1 });
