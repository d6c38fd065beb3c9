import * as z from 'zod/mini';
import { WantedLocale } from '../../lib/contract/fields.ts';
import { dates, datesInOrder } from '../../lib/contract/ranges.ts';

/** Schemas of requests that the patient's routes and the physicians' routes have in common. */

export const daysOfEntries = z.object(dates).check(datesInOrder(100));

export const daysOfReport = z.object({ ...dates, locale: z.optional(WantedLocale) }).check(datesInOrder(100));

export const daysOfSummary = z.object({ ...dates, by: z.optional(z.enum(['week', 'month'])) }).check(datesInOrder(366));

export const language = z.object({ 'accept-language': z.optional(z.string()) });
