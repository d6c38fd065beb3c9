import { describe, expect, test } from 'vitest';
import { entriesOfFile, footOfFile, headOfFile, searchset } from '../../functions/fhir/rules/bundle.ts';
import { fhirConsent, type Linked } from '../../functions/fhir/rules/consent.ts';
import { diaryObservation } from '../../functions/fhir/rules/diary-observation.ts';
import { episodeObservation } from '../../functions/fhir/rules/episode-observation.ts';
import { fhirPatient } from '../../functions/fhir/rules/patient.ts';
import { fhirProvenance } from '../../functions/fhir/rules/provenance.ts';
import type { Resource } from '../../functions/fhir/rules/resource.ts';
import { fhirAnswers } from '../../functions/fhir/rules/response.ts';
import { completed, draftOf } from '../../functions/questionnaire-responses/rules/response.ts';
import { answersTo, definitions } from '../questionnaires/every-item.ts';
import { officialValidator } from './official.ts';
import { allPages, patientWithData } from './people.ts';
import { content, diaryNight, diaryNightOf, episode, recordOf } from './samples.ts';

/** What goes out as FHIR R4, against HL7's own definitions of it. */

const validate = await officialValidator(
  'Bundle',
  'Patient',
  'Consent',
  'Provenance',
  'QuestionnaireResponse',
  'Observation',
);

const linked: Linked = { record: recordOf(), newerAt: null, older: null };
const revoked = recordOf({ action: 'revoked', recordId: 'imported-0123', source: 'imported' });
const later = '2026-03-05T10:00:00.000Z';
const receipt = { issuedAt: later, receipt: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' };
const withoutSleep = { zone: 'UTC', slept: false };

const samples: readonly (readonly [string, Resource | null])[] = [
  ['a Patient', fhirPatient('u', { email: 'patient@example.com', locale: 'de-DE' })],
  ['a Patient of whom only the id is known', fhirPatient('u', null)],
  ['a Consent', fhirConsent(linked, [], content)],
  ['a Consent that ended, of a text that is gone', fhirConsent({ ...linked, newerAt: later }, [later], null)],
  ['a refusal', fhirConsent({ ...linked, record: revoked }, [], null)],
  ['a Provenance', fhirProvenance(linked, null)],
  ['a Provenance with its receipt', fhirProvenance(linked, receipt)],
  ['a Provenance of a revocation that was imported', fhirProvenance({ ...linked, record: revoked }, receipt)],
  ['a night', diaryObservation('u', diaryNight)],
  ['a night without sleep', diaryObservation('u', diaryNightOf('2026-03-29', withoutSleep))],
  ['a night with stages', episodeObservation('u', episode({ asleepCore: 14_400, asleepDeep: 3_601, awake: 60 }))],
  ['a night in bed', episodeObservation('u', episode({ inBed: 3_600 }))],
  ...definitions.map((definition) => {
    const { questionnaireId, version } = definition;
    const frame = { questionnaireId, bundleId: 'b', occurrenceId: null, entitlementId: null, window: null };
    const draft = draftOf({ responseId: 'r_1', ...frame }, { version, answers: answersTo(definition) });
    const done = completed(draft, definition, new Date(later));
    return [`answers to ${questionnaireId}`, fhirAnswers({ ...done, recordedAt: later }, definition, 'u')] as const;
  }),
];

test.each(samples)('%s', (_name, resource) => {
  expect(resource).not.toBeNull();
  expect(() => validate(resource ?? {})).not.toThrow();
});

const resources = samples.flatMap(([, resource]) => (resource ? [resource] : []));

test('a page, an empty page, a file and an empty file', () => {
  const page = { count: 20, types: undefined, cursor: undefined, nextCursor: 'x' };
  // A Bundle has each resource once.
  const once = [...new Map(resources.map((each) => [`${each.resourceType}/${each.id}`, each])).values()];
  expect(() => validate(searchset({ resources: once, ...page }))).not.toThrow();
  expect(() => validate(searchset({ resources: [], ...page, nextCursor: null }))).not.toThrow();
  const [first, ...rest] = once;
  const pieces = [entriesOfFile(first ? [first] : [], true), entriesOfFile([], false), entriesOfFile(rest, false)];
  const file = JSON.parse(headOfFile + pieces.join('') + footOfFile(false));
  expect(file.entry).toHaveLength(once.length);
  expect(() => validate(file)).not.toThrow();
  expect(() => validate(JSON.parse(headOfFile + footOfFile(true)))).not.toThrow();
});

test('all that the stage answers', async () => {
  const { me } = await patientWithData();
  const { body } = await me.get('/users/me/fhir?_count=100');
  expect(body.entry).toHaveLength(11);
  expect(() => validate(body)).not.toThrow();
  // Each reference leads to a resource of the Bundle.
  const there = new Set(body.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl.split('/fhir/')[1]));
  const references = [...JSON.stringify(body).matchAll(/"reference":"([^"]+)"/g)].map(([, reference]) => reference);
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter((reference) => !there.has(reference))).toEqual([]);
  expect((await allPages(me.get, '?_count=2')).flat()).toHaveLength(11);
});

describe('the definitions refuse', () => {
  const [patient, , consent, , , provenance, , , night] = samples.map(([, resource]) => resource);
  test.each([
    ['a Patient with an unknown element', { ...patient, colour: 'red' }],
    ['a Consent without a policy', { ...consent, policy: undefined }],
    ['a Consent with a status of another kind', { ...consent, status: { code: 'active' } }],
    ['a Provenance of nothing', { ...provenance, target: [] }],
    ['an Observation with a value and a reason for none', { ...night, dataAbsentReason: { text: 'none' } }],
    ['an Observation whose period begins with a word', { ...night, effectivePeriod: { start: 'yesterday' } }],
  ])('%s', (_case, resource) => {
    expect(() => validate(resource)).toThrow();
  });
});
