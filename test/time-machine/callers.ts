import { type Callers, developers } from '../callers.ts';

export const callers: Callers = {
  'GET /time-machine': developers,
  'PUT /time-machine': developers,
  'DELETE /time-machine': developers,
};
