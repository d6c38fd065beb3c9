import { expect, test } from 'vitest';
import { accepted, move, newStudy, openStudy, researcher, studyPath } from '../research/people.ts';

const staff = await researcher();

const exportsOf = (studyId: string) => `${studyPath(studyId)}/exports`;

test('refused: a draft, what is not there, an export of another study', async () => {
  const [{ studyId: draft }, { studyId }] = [await newStudy(staff), await openStudy(staff)];
  expect(await staff.post(exportsOf(draft))).toMatchObject({ status: 409, body: { code: 'STUDY_NOT_EXPORTED' } });
  const nothing = { status: 404, body: { code: 'STUDY_NOT_FOUND' } };
  expect(await staff.post(exportsOf('none'))).toMatchObject(nothing);
  expect(await staff.get(exportsOf('none'))).toMatchObject(nothing);
  expect(await staff.get(`${studyPath('none')}/notices`)).toMatchObject(nothing);
  const { exportId } = await accepted(staff.post(exportsOf(studyId)));
  const foreign = await staff.get(`${exportsOf(draft)}/${exportId}`);
  expect(foreign).toMatchObject({ status: 404, body: { code: 'RESEARCH_EXPORT_NOT_FOUND' } });
});

test('one at a time: of several requests at once one is accepted; the same key gives the same export', async () => {
  const { studyId } = await openStudy(staff);
  await accepted(move(staff, studyId, 'closed'));
  const headers = { 'Idempotency-Key': `of-${studyId}` };
  const answers = await Promise.all([
    staff.post(exportsOf(studyId), { headers }),
    staff.post(exportsOf(studyId), { headers }),
    staff.post(exportsOf(studyId)),
    staff.post(exportsOf(studyId)),
  ]);
  const ids = new Set(answers.flatMap(({ status, body }) => (status === 202 ? [body.exportId] : [])));
  const { body: list } = await staff.get(exportsOf(studyId));
  expect(list.items.map((each: { exportId: string }) => each.exportId).toSorted()).toEqual([...ids].toSorted());
  for (const { status, body } of answers.filter((each) => each.status !== 202)) {
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'RESEARCH_EXPORT_UNDER_WAY' });
    expect([...ids]).toContain(body.detail.exportId);
  }
  expect(
    answers[0]?.body.exportId === answers[1]?.body.exportId || answers.slice(0, 2).some(({ status }) => status === 409),
  ).toBe(true);
});
