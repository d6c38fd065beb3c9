import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { accepted, agreeing, consenting, move, openStudy, own, researcher, revoking, studyPath } from './people.ts';
import { collected, definition } from './study.ts';

const staff = await researcher();

const asked = {
  title: definition.title,
  agreementId: collected.agreementId,
  dataClasses: collected.dataClasses,
  period: collected.period,
  profileFields: ['timezone'],
  shiftDates: true,
};

const countOf = async (studyId: string) => accepted(staff.get(`${studyPath(studyId)}/participants`));

describe('taking part', () => {
  test('looked up, agreed to, joined, listed, left and joined again', async () => {
    const { studyId, code } = await openStudy(staff);
    const patient = await client();
    const offer = { studyId, ...asked, isOpen: true, isAgreed: false, isParticipating: false };
    const typed = { body: { code: ` ${code.toLowerCase().replaceAll('-', ' ')}` } };
    expect(await patient.post(`${own}/lookup`, typed)).toMatchObject({ status: 200, body: offer });
    expect(await patient.post(own, typed)).toMatchObject({
      status: 403,
      body: { code: 'CONSENT_REQUIRED', detail: { agreementId: 'research-data' } },
    });
    expect(await patient.get(own)).toMatchObject({ status: 200, body: { items: [] } });
    await accepted(patient.post(agreeing));
    const joined = await patient.post(own, typed);
    expect(joined).toMatchObject({
      status: 200,
      body: { studyId, ...asked, isParticipating: true, leftAt: null, keepExported: null },
    });
    expect(await patient.post(own, typed)).toMatchObject({ status: 200, body: joined.body });
    expect((await patient.get(own)).body.items).toEqual([joined.body]);
    expect((await patient.post(`${own}/lookup`, typed)).body).toMatchObject({ isAgreed: true, isParticipating: true });
    const left = await patient.delete(`${own}/${studyId}?keepExported=true`);
    expect(left).toMatchObject({ status: 200, body: { success: true, studyId, keepExported: true } });
    expect(await patient.delete(`${own}/${studyId}`)).toMatchObject({ status: 200, body: left.body });
    const state = await accepted(patient.get('/users/agreements/research-data/state'));
    expect(state).toMatchObject({ agreed: false });
    expect((await patient.get(own)).body.items).toEqual([
      { ...joined.body, isParticipating: false, leftAt: left.body.leftAt, keepExported: true },
    ]);
    await accepted(patient.post(agreeing));
    expect(await patient.post(own, typed)).toMatchObject({
      status: 200,
      body: { isParticipating: true, leftAt: null },
    });
  });

  test('no answer to staff or to the participant has a value that connects a person in two studies', async () => {
    const [one, other] = [await openStudy(staff), await openStudy(staff)];
    const patient = await consenting();
    const answers = [
      await accepted(patient.post(own, { body: { code: one.code } })),
      await accepted(patient.post(own, { body: { code: other.code } })),
      await accepted(patient.get(own)),
      await countOf(one.studyId),
      await accepted(staff.get(studyPath(one.studyId))),
    ];
    const text = JSON.stringify(answers);
    expect(text).not.toContain(patient.user);
    // A pseudonym, a hash of a code or a key is of that form.
    expect(text).not.toMatch(/[0-9a-f]{32}/);
  });

  test('for fewer than five participants there is no number', async () => {
    const { studyId, code } = await openStudy(staff);
    const people = await Promise.all(Array.from({ length: 5 }, consenting));
    for (const [index, person] of people.entries()) {
      expect(await countOf(studyId)).toEqual({ studyId, count: null, isFewerThanFive: true });
      await accepted(person.post(own, { body: { code } }));
      if (index === 4) expect(await countOf(studyId)).toEqual({ studyId, count: 5, isFewerThanFive: false });
    }
    await accepted(people[0]?.delete(`${own}/${studyId}`) ?? Promise.reject(new Error('nobody')));
    expect(await countOf(studyId)).toEqual({ studyId, count: null, isFewerThanFive: true });
  });

  test('the ordinary revocation ends it at once for the user, and a while later in the number', async () => {
    const { studyId, code } = await openStudy(staff);
    const people = await Promise.all(Array.from({ length: 5 }, consenting));
    for (const person of people) await accepted(person.post(own, { body: { code } }));
    const [first] = people;
    if (!first) throw new Error('nobody');
    const { revokedAt } = await accepted(first.delete(revoking));
    const { items } = (await first.get(own)).body;
    expect(items).toMatchObject([{ isParticipating: false, leftAt: revokedAt, keepExported: false }]);
    await eventually(async () => expect(await countOf(studyId)).toMatchObject({ isFewerThanFive: true }));
  });

  test('an invitation is used once', async () => {
    const { studyId } = await openStudy(staff);
    const issued = staff.post(`${studyPath(studyId)}/invitations`, { body: { count: 1, group: 'early' } });
    const code = (await accepted(issued)).invitations[0].code;
    const [one, other] = [await consenting(), await consenting()];
    await accepted(one.post(own, { body: { code } }));
    expect(await other.post(own, { body: { code } })).toMatchObject({
      status: 409,
      body: { code: 'STUDY_INVITATION_USED' },
    });
    expect((await other.post(`${own}/lookup`, { body: { code } })).body).toMatchObject({ isOpen: false });
    expect((await one.post(`${own}/lookup`, { body: { code } })).body).toMatchObject({ isOpen: true });
  });

  test('refused: unknown and replaced codes, a closed study, a study that the caller never joined', async () => {
    const { studyId, code } = await openStudy(staff);
    const patient = await consenting();
    const { code: newer } = await accepted(staff.post(`${studyPath(studyId)}/code`));
    for (const wrong of [code, 'AAAAA-AAAAA-AAAAA-AAAAA', 'no code', ''])
      for (const path of [own, `${own}/lookup`])
        expect(await patient.post(path, { body: { code: wrong } })).toMatchObject({
          status: 404,
          body: { code: 'STUDY_CODE_NOT_FOUND' },
        });
    await accepted(move(staff, studyId, 'closed'));
    expect(await patient.post(own, { body: { code: newer } })).toMatchObject({
      status: 409,
      body: { code: 'STUDY_NOT_RECRUITING' },
    });
    expect(await patient.delete(`${own}/${studyId}`)).toMatchObject({ status: 404, body: { code: 'STUDY_NOT_FOUND' } });
    expect(await patient.delete(`${own}/${studyId}?keepExported=maybe`)).toMatchObject({ status: 400 });
  });
});
