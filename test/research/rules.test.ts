import { describe, expect, test } from 'vitest';
import { codeLength, newCode, readCode, shownCode } from '../../functions/research/rules/code.ts';
import {
  type Code,
  decideJoin,
  type Enrolment,
  endsBy,
  isCurrent,
  left,
} from '../../functions/research/rules/enrolment.ts';
import { enrolmentEventOf } from '../../functions/research/rules/enrolment-event.ts';
import { pseudonymOf } from '../../functions/research/rules/pseudonym.ts';
import { askedBy, ownStudy, studyForStaff } from '../../functions/research/rules/shown.ts';
import {
  auditedStudy,
  canBecome,
  isRecruiting,
  type Study,
  shownCount,
  transitions,
} from '../../functions/research/rules/study.ts';
import { states } from '../../functions/research/schemas.ts';
import { definition } from './study.ts';

const now = new Date('2026-06-01T12:00:00.000Z');
const before = '2026-05-01T00:00:00.000Z';

const study: Study = {
  ...definition,
  studyId: 's',
  state: 'recruiting',
  codeId: 'hash',
  createdAt: before,
  revision: 3,
  changeId: 'r',
};
const code: Code = { codeId: 'hash', studyId: 's', kind: 'study', group: null, createdAt: before };
const invitation: Code = { ...code, codeId: 'invited', kind: 'invitation', group: 'late' };
const consent = { action: 'agreed', recordedAt: before, recordId: 'c', sequence: 1 } as const;
const revoked = {
  ...consent,
  action: 'revoked',
  recordId: 'd',
  sequence: 2,
  recordedAt: '2026-05-02T00:00:00.000Z',
} as const;
const enrolment: Enrolment = {
  studyId: 's',
  userId: 'u',
  enrolledAt: before,
  leftAt: null,
  group: 'early',
  agreementId: 'research-data',
  consentId: 'c',
  consentRecordedAt: before,
  consentSequence: 1,
  keepExported: false,
  codeId: 'hash',
  revision: 4,
};
const gone = left(enrolment, { leftAt: '2026-05-03T00:00:00.000Z', keepExported: true });

describe('the states of a study', () => {
  test('each state is followed only by the next one', () => {
    const allowed = states.flatMap((from) =>
      states.filter((to) => transitions[from].includes(to)).map((to) => [from, to]),
    );
    expect(allowed).toEqual([
      ['draft', 'recruiting'],
      ['recruiting', 'closed'],
      ['closed', 'archived'],
    ]);
  });

  test('what is collected can change only in a draft; the title can always change', () => {
    const other = { ...definition, shiftDates: false };
    expect(canBecome({ ...study, state: 'draft' }, other)).toBe(true);
    for (const state of ['recruiting', 'closed', 'archived'] as const) {
      expect(canBecome({ ...study, state }, other)).toBe(false);
      expect(canBecome({ ...study, state }, { ...definition, title: 'Other' } as typeof definition)).toBe(true);
    }
  });

  test.each([
    ['agreementId', { agreementId: 'marketing' }],
    ['dataClasses', { dataClasses: ['diary', 'episodes'] as const }],
    ['period', { period: { from: '2026-01-01', until: '2099-01-01' } }],
    ['groups', { groups: [] }],
    ['quasiIdentifiers', { quasiIdentifiers: [{ field: 'timezone', smallCells: 'suppress' }] as const }],
  ])('%s is a part of what is collected', (_field, part) => {
    expect(canBecome(study, { ...definition, ...part })).toBe(false);
  });

  test('recruiting ends with the last day of the period', () => {
    const until = { ...study, period: { from: '2026-01-01', until: '2026-06-01' } };
    expect(isRecruiting(until, new Date('2026-06-01T23:59:59.999Z'))).toBe(true);
    expect(isRecruiting(until, new Date('2026-06-02T00:00:00.000Z'))).toBe(false);
    for (const state of ['draft', 'closed', 'archived'] as const)
      expect(isRecruiting({ ...study, state }, now)).toBe(false);
  });

  test.each([
    [0, null],
    [4, null],
    [5, 5],
    [100_000, 100_000],
  ])('of %d participants %s is said', (participants, count) => {
    expect(shownCount(participants)).toEqual({ count, isFewerThanFive: count === null });
  });
});

describe('joining', () => {
  const seen = { code, study, enrolment: null, consent, ends: [], studies: 0 };
  const kindOf = (part: Partial<Parameters<typeof decideJoin>[1]>) => decideJoin('u', { ...seen, ...part }, now).kind;

  test.each<[string, Partial<Parameters<typeof decideJoin>[1]>, string]>([
    ['with the code and the consent', {}, 'join'],
    ['again', { enrolment }, 'known'],
    ['again, after the study closed', { enrolment, study: { ...study, state: 'closed' } }, 'known'],
    ['again, in 20 studies', { enrolment, studies: 20 }, 'known'],
    ['without a consent', { consent: null }, 'consent-missing'],
    ['after the revocation', { consent: revoked }, 'consent-missing'],
    ['with a consent from before the account ended', { ends: ['2026-05-01T00:00:00.001Z'] }, 'consent-missing'],
    ['into a draft', { study: { ...study, state: 'draft' } }, 'not-recruiting'],
    ['into a closed study', { study: { ...study, state: 'closed' } }, 'not-recruiting'],
    ['into an archived study', { study: { ...study, state: 'archived' } }, 'not-recruiting'],
    ['by an invitation', { code: invitation }, 'join'],
    ['by an invitation that was used', { code: { ...invitation, usedAt: before } }, 'used'],
    [
      'back, by the own invitation',
      { code: { ...invitation, usedAt: before }, enrolment: { ...gone, codeId: 'invited' } },
      'join',
    ],
    ['back, by the invitation of somebody else', { code: { ...invitation, usedAt: before }, enrolment: gone }, 'used'],
    ['into the 21st study', { studies: 20 }, 'too-many'],
    ['after the row ended, with the same consent', { enrolment: gone }, 'join'],
  ])('%s', (_case, part, kind) => {
    expect(kindOf(part)).toBe(kind);
  });

  test('an enrolment names its consent record, and has no pseudonym', () => {
    const decision = decideJoin('u', { ...seen, code: invitation }, now);
    expect(decision).toEqual({
      kind: 'join',
      isCounted: false,
      enrolment: {
        studyId: 's',
        userId: 'u',
        enrolledAt: now.toISOString(),
        leftAt: null,
        group: 'late',
        agreementId: 'research-data',
        consentId: 'c',
        consentRecordedAt: before,
        consentSequence: 1,
        keepExported: false,
        codeId: 'invited',
        revision: 1,
      },
    });
  });

  test('after a new consent the enrolment names the new record; a participant is counted once', () => {
    const anew = { ...consent, recordId: 'e', sequence: 3 };
    expect(decideJoin('u', { ...seen, enrolment, consent: anew }, now)).toMatchObject({
      kind: 'join',
      isCounted: true,
      enrolment: { consentId: 'e', consentSequence: 3, group: 'early', revision: 5 },
    });
    expect(decideJoin('u', { ...seen, enrolment: gone }, now)).toMatchObject({
      isCounted: false,
      enrolment: { keepExported: false },
    });
  });
});

describe('taking part', () => {
  test.each<[string, boolean, boolean]>([
    ['with the consent', isCurrent(enrolment, consent, []), true],
    ['without any', isCurrent(enrolment, null, []), false],
    ['after the revocation, before the row says so', isCurrent(enrolment, revoked, []), false],
    ['after leaving', isCurrent(gone, consent, []), false],
    ['after the account ended', isCurrent(enrolment, consent, [before]), false],
    [
      'with a consent after the end of the account on which it does not rest',
      isCurrent(enrolment, { ...consent, recordedAt: '2026-05-04T00:00:00.000Z' }, ['2026-05-03T00:00:00.000Z']),
      false,
    ],
  ])('%s', (_case, is, expected) => {
    expect(is).toBe(expected);
  });

  test('a revocation ends enrolments with an earlier consent, and not with a later one', () => {
    expect(endsBy(enrolment, { sequence: 2 })).toBe(true);
    expect(endsBy({ ...enrolment, consentSequence: 3 }, { sequence: 2 })).toBe(false);
    expect(endsBy(gone, { sequence: 2 })).toBe(false);
  });
});

describe('codes', () => {
  test('20 characters, read in any case and with spaces or hyphens', () => {
    const made = newCode(Uint8Array.from({ length: codeLength }, (_, index) => index + 12));
    expect(made).toBe('MNOPQRSTUVWXYZ234567');
    expect(shownCode(made)).toBe('MNOPQ-RSTUV-WXYZ2-34567');
    for (const typed of [made, shownCode(made), 'mnopq rstuv–wxyz2\u00a034567 ', made.toLowerCase()])
      expect(readCode(typed)).toBe(made);
  });

  test.each([
    '',
    'MNOPQ',
    'MNOPQRSTUVWXYZ2345678',
    'MNOPQRSTUVWXYZ23456',
    'MNOPQRSTUVWXYZ23456ſ',
    'MNOPQRSTUVWXYZ23450!',
    'MNOPQRSTUVWXYZ234561',
  ])('none: %j', (typed) => {
    expect(readCode(typed)).toBeNull();
  });
});

describe('pseudonyms', () => {
  const key = (byte: number) => new Uint8Array(32).fill(byte);

  test('HMAC-SHA-256 by the key of the study, shortened to 128 bits', () => {
    expect(pseudonymOf(key(1), 'u')).toMatch(/^[0-9a-f]{32}$/);
    expect(pseudonymOf(key(1), 'u')).toBe(pseudonymOf(key(1), 'u'));
    expect(pseudonymOf(key(1), 'u')).not.toBe(pseudonymOf(key(1), 'v'));
  });

  test('a thousand people in two studies have no pseudonym in common', () => {
    const people = Array.from({ length: 1000 }, (_, index) => `user-${index}`);
    const all = people.flatMap((each) => [pseudonymOf(key(1), each), pseudonymOf(key(2), each)]);
    expect(new Set(all).size).toBe(2000);
  });

  test('only a key can make one', () => {
    expect(() => pseudonymOf(new Uint8Array(0), 'u')).toThrow('not the key');
  });
});

describe('what is shown', () => {
  test('staff see that there is a code, but neither its hash nor the revisions', () => {
    expect(studyForStaff(study)).toEqual({
      ...definition,
      studyId: 's',
      state: 'recruiting',
      hasCode: true,
      createdAt: before,
    });
    expect(studyForStaff({ ...study, codeId: null }).hasCode).toBe(false);
    expect(Object.keys(auditedStudy(study)).toSorted()).toEqual([...Object.keys(definition), 'state'].toSorted());
  });

  test('participants see what is collected, but neither the groups nor their own group', () => {
    const grouped = {
      ...study,
      quasiIdentifiers: [...study.quasiIdentifiers, { field: 'group', smallCells: 'refuse' }] as const,
    };
    expect(askedBy(grouped)).toEqual({
      studyId: 's',
      title: definition.title,
      agreementId: 'research-data',
      dataClasses: ['diary'],
      period: definition.period,
      profileFields: ['timezone'],
      shiftDates: true,
    });
    expect(JSON.stringify(ownStudy(grouped, enrolment, consent, []))).not.toContain('early');
  });

  test('an end is shown before the row has it', () => {
    const shown = (...[row, state, ends]: [Enrolment, typeof consent | typeof revoked | null, string[]]) => {
      const { isParticipating, leftAt, keepExported } = ownStudy(study, row, state, ends);
      return [isParticipating, leftAt, keepExported];
    };
    expect(shown(enrolment, consent, [])).toEqual([true, null, null]);
    expect(shown(enrolment, revoked, [])).toEqual([false, revoked.recordedAt, false]);
    expect(shown(enrolment, consent, ['2026-05-03T00:00:00.000Z'])).toEqual([false, '2026-05-03T00:00:00.000Z', false]);
    expect(shown(gone, consent, [])).toEqual([false, gone.leftAt, true]);
  });
});

describe('events', () => {
  const image = (row: Partial<Enrolment>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? { S: value } : {}]),
    );
  const ids = { studyId: 's', userId: 'u' };

  test('the events of a join and an end have ids and times', () => {
    const joined = { detailType: 'StudyJoined', time: before, detail: { ...ids, enrolledAt: before } };
    expect(enrolmentEventOf({ NewImage: image(enrolment) })).toEqual(joined);
    const earlier = image({ ...gone, enrolledAt: '2026-04-01T00:00:00.000Z', group: null, consentId: 'b' });
    expect(enrolmentEventOf({ OldImage: earlier, NewImage: image(enrolment) })).toEqual(joined);
    const ended = { detailType: 'StudyLeft', time: gone.leftAt, detail: { ...ids, leftAt: gone.leftAt } };
    expect(enrolmentEventOf({ OldImage: image(enrolment), NewImage: image(gone) })).toEqual(ended);
  });

  test.each([
    ['another choice', { OldImage: image(gone), NewImage: image({ ...gone, keepExported: false }) }],
    ['an erasure', { OldImage: image(enrolment) }],
  ])('nobody is told of %s', (_case, change) => {
    expect(enrolmentEventOf(change)).toBeNull();
  });

  test.each([
    ['another group', enrolment, { ...enrolment, group: 'late' }],
    ['another group, with its end', enrolment, { ...gone, group: null }],
    ['another consent', enrolment, { ...enrolment, consentId: 'e' }],
    ['an end that goes away', gone, enrolment],
    ['another end', gone, { ...gone, leftAt: '2026-05-04T00:00:00.000Z' }],
  ])('%s of the same enrolment is of no honest function: the change is set aside, which is an alarm', (_, was, is) => {
    expect(() => enrolmentEventOf({ OldImage: image(was), NewImage: image(is) })).toThrow('no function changes this');
  });
});
