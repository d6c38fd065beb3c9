import { isQuick, sharedFaults, sharedHangs } from './matrix.ts';
import { surviveAll } from './survive-all.ts';

/** The rest of the matrix, for everybody: what waits between two attempts, and what is never answered at all. */

surviveAll(
  'everybody meets a fault',
  sharedFaults.filter((each) => !isQuick(each)),
);
surviveAll('everybody meets what hangs', sharedHangs, { patience: 1 });
