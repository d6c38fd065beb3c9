import { type Callers, developers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'POST /dev/push/test/{messageType}': { sleepcare: ['developer'] },
};

export const holders: Holders = {
  'push:test': developers,
};
