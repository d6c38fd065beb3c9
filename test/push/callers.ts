import type { Callers } from '../callers.ts';

export const callers: Callers = {
  'POST /dev/push/test/{messageType}': { sleepcare: ['developer'] },
};
