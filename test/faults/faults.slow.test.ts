import { hangs, isQuick, ownFaults } from './matrix.ts';
import { surviveAll } from './survive-all.ts';

/** The rest of the matrix, for one user at a time: what waits between two attempts, and what is never answered at all. */

surviveAll(
  'one user meets a fault',
  ownFaults.filter((each) => !isQuick(each)),
  { isConcurrent: true },
);
surviveAll('one user meets what hangs', hangs, { isConcurrent: true, hangs: true });
