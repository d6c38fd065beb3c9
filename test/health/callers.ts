import type { Callers } from '../callers.ts';

export const callers: Callers = {
  'GET /health': 'public',
};
