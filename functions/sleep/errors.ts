import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const SleepEntryNotFound = error({
  code: 'SLEEP_ENTRY_NOT_FOUND',
  status: 404,
  message: 'The diary has no entry of this date.',
});

export const SleepWindowNotDue = error({
  code: 'SLEEP_WINDOW_NOT_DUE',
  status: 409,
  message: 'The diary does not allow another sleep window yet.',
  detail: () => z.object({ waitingFor: z.string(), nights: z.int(), dueOn: z.nullable(z.string()) }),
});

export const SleepWindowChanged = error({
  code: 'SLEEP_WINDOW_CHANGED',
  status: 409,
  message: 'The patient’s sleep window or its proposal has changed meanwhile.',
  detail: () => z.object({ proposalId: z.nullable(z.string()) }),
});

export const SleepWindowSuspended = error({
  code: 'SLEEP_WINDOW_SUSPENDED',
  status: 409,
  message: 'No sleep window is released while the patient is too sleepy or a flag is open.',
  detail: () => z.object({ because: z.array(z.string()) }),
});
