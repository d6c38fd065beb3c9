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

export const SleepWindowByPhysician = error({
  code: 'SLEEP_WINDOW_BY_PHYSICIAN',
  status: 409,
  message: 'A physician releases this sleep window.',
  detail: () => z.object({ because: z.array(z.string()) }),
});

export const SleepScreeningNeeded = error({
  code: 'SLEEP_SCREENING_NEEDED',
  status: 409,
  message: 'The screening has to be answered before this sleep window is released.',
  detail: () => z.object({ questionnaireId: z.string(), version: z.string() }),
});

export const SleepMeasurementNeeded = error({
  code: 'SLEEP_MEASUREMENT_NEEDED',
  status: 409,
  message: 'Questionnaires have to be answered before this sleep window is released.',
  detail: () => z.object({ questionnaireIds: z.array(z.string()) }),
});

export const SleepMeasurementNotConfirmed = error({
  code: 'SLEEP_MEASUREMENT_NOT_CONFIRMED',
  status: 409,
  message: 'The patient has not answered these questionnaires, and the physician has not confirmed this.',
  detail: () => z.object({ questionnaireIds: z.array(z.string()) }),
});

export const SleepSuspensionNotConfirmed = error({
  code: 'SLEEP_SUSPENSION_NOT_CONFIRMED',
  status: 409,
  message: 'The sleep window is suspended, and the physician has not confirmed the present reasons.',
  detail: () => z.object({ because: z.array(z.string()), suspensionId: z.string() }),
});

export const SleepWindowSuspended = error({
  code: 'SLEEP_WINDOW_SUSPENDED',
  status: 409,
  message: 'The sleep window is suspended, or no window is released at present.',
  detail: () => z.object({ because: z.array(z.string()) }),
});
