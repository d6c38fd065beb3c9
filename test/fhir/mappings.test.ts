import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { fhirConsent } from '../../functions/fhir/rules/consent.ts';
import { diaryObservation } from '../../functions/fhir/rules/diary-observation.ts';
import { episodeObservation } from '../../functions/fhir/rules/episode-observation.ts';
import { fhirPatient } from '../../functions/fhir/rules/patient.ts';
import { fhirProvenance } from '../../functions/fhir/rules/provenance.ts';
import { ownCodes, sleepCodeSystem } from '../../functions/fhir/rules/sleep-codes.ts';
import { zonedTime } from '../../functions/fhir/rules/zoned-time.ts';
import { content, diaryNight, episode, recordOf } from './samples.ts';

describe('a time by the clock in a zone', () => {
  test.each([
    ['before summer time begins', '2026-03-28T22:30:00.000Z', 'Europe/Berlin', '2026-03-28T23:30:00+01:00'],
    ['after it began', '2026-03-29T05:00:00.000Z', 'Europe/Berlin', '2026-03-29T07:00:00+02:00'],
    ['the last second before', '2026-03-29T00:59:59.999Z', 'Europe/Berlin', '2026-03-29T01:59:59+01:00'],
    ['the first second of it', '2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
    ['the hour that comes twice, first', '2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['the hour that comes twice, again', '2026-10-25T01:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
    ['west of Greenwich, half an hour', '2026-01-01T02:00:00.000Z', 'America/St_Johns', '2025-12-31T22:30:00-03:30'],
    ['the far east', '2026-01-01T12:00:00.000Z', 'Pacific/Kiritimati', '2026-01-02T02:00:00+14:00'],
    ['UTC', '2026-01-01T12:00:07.500Z', 'UTC', '2026-01-01T12:00:07+00:00'],
  ])('%s', (_case, instant, zone, zoned) => {
    expect(zonedTime(instant, zone)).toBe(zoned);
    expect(Math.floor(Date.parse(zoned) / 1000)).toBe(Math.floor(Date.parse(instant) / 1000));
  });
});

describe('Consent', () => {
  const given = recordOf({ action: 'agreed', recordedAt: '2026-03-01T10:00:00.000Z', recordId: 'r1' });
  const later = '2026-03-05T10:00:00.000Z';
  const end = '2026-03-03T10:00:00.000Z';
  const statusOf = (record: ConsentRecord, newerAt: string | null, ends: readonly string[], older = null) => {
    const made = fhirConsent({ record, newerAt, older }, ends, content);
    return made && [made.status, made.provision];
  };
  const start = given.recordedAt;

  test.each<[string, string | null, readonly string[], unknown]>([
    ['holds', null, [], ['active', { type: 'permit', period: { start } }]],
    ['ended by the next record', later, [], ['inactive', { type: 'permit', period: { start, end: later } }]],
    ['ended with the account', null, [end], ['inactive', { type: 'permit', period: { start, end } }]],
    [
      'ended with the account before the next record',
      later,
      [end],
      ['inactive', { type: 'permit', period: { start, end } }],
    ],
    [
      'given after the account was restored',
      null,
      ['2026-02-01T00:00:00.000Z'],
      ['active', { type: 'permit', period: { start } }],
    ],
  ])('%s', (_case, newerAt, ends, says) => {
    expect(statusOf(given, newerAt, ends)).toEqual(says);
  });

  test('names the very version, its text and its hash', () => {
    expect(fhirConsent({ record: given, newerAt: null, older: null }, [], content)).toMatchObject({
      id: 'r1',
      policy: [{ uri: 'https://mobile-health.example/fhir/agreement/marketing/version/marketing-1.0' }],
      sourceAttachment: { url: content.contentUrl, title: content.title, language: 'de' },
      extension: [{ valueString: given.contentHash }],
    });
    const gone = fhirConsent({ record: given, newerAt: null, older: null }, [], null);
    expect(gone).not.toHaveProperty('sourceAttachment');
  });

  test('a revocation is no Consent, but the origin of an end; one without a consent before it is a refusal', () => {
    const revoked = recordOf({ action: 'revoked', recordedAt: later, recordId: 'r2' });
    expect(fhirConsent({ record: revoked, newerAt: null, older: given }, [], content)).toBeNull();
    expect(fhirProvenance({ record: revoked, newerAt: null, older: given }, null).target).toEqual([
      { reference: 'Consent/r1' },
    ]);
    const alone = { record: revoked, newerAt: null, older: null };
    expect(fhirConsent(alone, [], content)).toMatchObject({
      id: 'r2',
      status: 'rejected',
      provision: { type: 'deny' },
    });
    expect(fhirProvenance(alone, null).target).toEqual([{ reference: 'Consent/r2' }]);
  });
});

describe('Observation', () => {
  test('a night over the beginning of summer time has its true length, and both offsets', () => {
    expect(diaryObservation('u', diaryNight)).toMatchObject({
      effectivePeriod: { start: '2026-03-28T23:00:00+01:00', end: '2026-03-29T07:00:00+02:00' },
      valueQuantity: { value: 360, unit: 'min', system: 'http://unitsofmeasure.org', code: 'min' },
      status: 'final',
    });
    const components = diaryObservation('u', diaryNight).component as {
      code: { coding: { code: string }[] };
      valueQuantity?: { value: number };
    }[];
    const values = components.map(({ code, valueQuantity }) => [code.coding[0]?.code, valueQuantity?.value]);
    expect(Object.fromEntries(values)).toMatchObject({
      'time-in-bed': 420,
      'sleep-onset-latency': 30,
      'wake-after-sleep-onset': 30,
      awakenings: 2,
      'sleep-efficiency': 85.71,
    });
  });

  test('an entry that was changed is amended, and notes of blanks are none', () => {
    const changed = diaryObservation('u', {
      ...diaryNight,
      replacedAt: '2026-03-29T09:00:00.000Z',
      content: { ...diaryNight.content, notes: ' \n' },
    });
    expect(changed.status).toBe('amended');
    expect(JSON.stringify(changed)).not.toContain('"notes"');
    expect(diaryObservation('u', diaryNight).component).toContainEqual({
      code: { coding: [expect.objectContaining({ code: 'notes' })] },
      valueString: 'Slept <well> & long.',
    });
  });

  test('ids are stable, and belong to only one person', () => {
    const id = diaryObservation('u', diaryNight).id;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(diaryObservation('u', { ...diaryNight, updatedAt: '2026-04-01T00:00:00.000Z' }).id).toBe(id);
    expect(diaryObservation('v', diaryNight).id).not.toBe(id);
    expect(diaryObservation('u', { ...diaryNight, date: '2026-03-30' }).id).not.toBe(id);
  });

  test("a device's stages have LOINC's codes", () => {
    const { valueQuantity, component, device } = episodeObservation(
      'u',
      episode({ asleepCore: 14_400, asleepREM: 3_601 }),
    );
    expect([valueQuantity, device]).toMatchObject([{ value: 300.02 }, { display: 'Apple HealthKit' }]);
    expect((component as { code: { coding: unknown[] } }[]).map(({ code }) => code.coding[0])).toMatchObject([
      { system: 'http://loinc.org', code: '93831-6' },
      { system: 'http://loinc.org', code: '93830-8' },
      { system: 'http://loinc.org', code: '93829-0' },
    ]);
  });

  test('time in bed without stages does not mean that nobody slept; lying awake does', () => {
    const inBed = episodeObservation('u', episode({ inBed: 3_600 }));
    expect(inBed).toMatchObject({ dataAbsentReason: { coding: [{ code: 'unknown' }] } });
    expect(inBed).not.toHaveProperty('valueQuantity');
    expect(episodeObservation('u', episode({ awake: 3_600 }))).toMatchObject({ valueQuantity: { value: 0 } });
  });
});

test('the page about FHIR lists each code', () => {
  const page = readFileSync(new URL('../../docs/domains/fhir.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\S+) \| ours \| (.+) \|$/gm)].map(([, code, means]) => [code, means]);
  expect(Object.fromEntries(rows)).toEqual(ownCodes);
  expect(page).toContain(sleepCodeSystem);
});

test('a Patient of whom only the id is known', () => {
  expect(fhirPatient('u', null)).toEqual({
    resourceType: 'Patient',
    id: 'u',
    identifier: [{ system: 'https://mobile-health.example/fhir/sid/user', value: 'u' }],
    active: true,
  });
});
