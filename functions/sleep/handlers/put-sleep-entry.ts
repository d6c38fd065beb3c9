import { PreconditionFailed, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { etagOf, outcomeOf } from '../../../lib/runtime/last-write-wins.ts';
import { putLastWrite } from '../../../lib/runtime/last-write-wins-rows.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SleepEntryNotFound } from '../errors.ts';
import { putSleepEntry } from '../routes.ts';
import { entryProblems } from '../rules/diary-entry.ts';
import { contentOf, fingerprintOf } from '../rules/entry-content.ts';
import { napProblems } from '../rules/naps.ts';
import { nightOf } from '../rules/night.ts';
import { entryHandle, isThere, shownEntry } from '../stores/entry-rows.ts';
import { rememberAlone, rememberNoddedOff } from '../stores/sleepiness-signs.ts';
import type { EntryRow } from '../tables.ts';

export const handler = serve(putSleepEntry)(async ({ params, headers, body, caller, now, tables, fail }) => {
  const { date } = params;
  const content = contentOf(body);
  const statedAt = body.recordedAt ?? null;
  const fingerprint = fingerprintOf(content);
  const said = { userId: caller.userId, date, fingerprint: `${statedAt} ${fingerprint}`, now };
  const ofNight = entryProblems(content, date, now);
  const night = nightOf(date, content, content.quality);
  const sleep = ofNight.length === 0 ? night.totalSleep : null;
  const problems = [...ofNight, ...napProblems(content, date, now, sleep)];
  if (problems.length > 0) {
    // What is wrong with another field does not make it untrue.
    const isOfDate = problems.every(({ path }) => path !== 'date');
    if (content.noddedOff && isOfDate) await rememberAlone(tables.SleepinessSigns, said);
    const issues = problems.map((problem) => ({ in: problem.path === 'date' ? 'path' : 'body', ...problem }) as const);
    return fail(ValidationFailed, { issues });
  }
  const { outcome, row } = await putLastWrite<EntryRow>(entryHandle(tables.SleepEntries, caller.userId, date), {
    incoming: { statedAt, fingerprint, isDeleted: false, ifMatch: headers['if-match'] },
    now,
    rowOf: async () => ({
      row: { date, content, night },
      also: content.noddedOff ? rememberNoddedOff(tables.SleepinessSigns, said) : [],
    }),
  });
  // What a phone said is remembered, even if another phone's later entry stays.
  if (content.noddedOff && (outcome === 'older' || outcome === 'refused')) {
    await rememberAlone(tables.SleepinessSigns, said);
  }
  if (outcome === 'refused') return fail(PreconditionFailed);
  // Another phone deleted it after this one had written it.
  if (!isThere(row)) return fail(SleepEntryNotFound);
  return { etag: etagOf(row), body: { ...shownEntry(row), outcome: outcomeOf(outcome) } };
});
