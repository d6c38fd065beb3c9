import { type Callers, developers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'GET /time-machine': developers,
  'PUT /time-machine': developers,
  'DELETE /time-machine': developers,
};

export const holders: Holders = {
  'time-machine:use': developers,
};
