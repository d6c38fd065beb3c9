import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Call, call, client } from '../api.ts';
import { admin, newSite, type Patient, patientAt } from '../crm-sites/people.ts';
import { eventually } from '../eventually.ts';
import { invitationOf, mailNumber } from '../mails.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** The ticket of a flag, for a physician who was invited, accepted, and works at the site: all of it over HTTP, with the token of a sign-in. */

const application = 'medinfo';
const password = 'correct-horse-battery';
const ofSite = '/crm/site-urgent-tickets';
const ofSafety = '/crm/urgent-tickets';

type By = { readonly get: (path: string) => ReturnType<typeof call> };

/** Those of one patient; of clinical safety's list other tests of the stage have the rest. */
async function tickets(by: By, path: string, { user }: Patient) {
  const { status, body } = await by.get(`${path}?limit=100`);
  expect(status).toBe(200);
  return body.items.filter(({ userId }: { userId: string }) => userId === user);
}

async function flagged(me: Patient): Promise<void> {
  const path = `/questionnaires/responses/${randomUUID()}`;
  await me.put(path, { body: { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) } });
  expect((await me.post(`${path}/complete`)).status).toBe(200);
}

const one = (by: By, path: string, me: Patient) =>
  eventually(async () => {
    const found = await tickets(by, path, me);
    expect(found).toHaveLength(1);
    return found[0];
  });

test('only the physician who accepted has the ticket before it is due; before that, and without the role, clinical safety has it at once', async () => {
  const chief = await admin();
  const site = await newSite(chief);
  const safety = await client({ application, roles: 'clinical-safety' });
  const email = `doctor-${randomUUID()}@example.com`;
  const invited = { email, name: 'Dr. Invited', roles: ['physician'], siteId: site.siteId };
  const { staffId, invitationCode } = (await chief.post('/admin/staff', { body: invited })).body;

  const { text } = await mailNumber(1, email);
  expect(text).toContain(`Clinic: ${site.name}\n`);
  // The administrator of this test has no name that the staff know.
  expect(text).not.toContain('Who invites you');

  // Nobody attends to the site before the invitation is accepted.
  const early = await patientAt([site], { isSharing: true });
  await flagged(early);
  const unattended = await one(safety, ofSafety, early);
  expect(unattended).toMatchObject({ siteId: null });

  const accepted = { ...(await invitationOf(1, email, invitationCode)), password };
  expect((await call('POST', '/admin/staff/accept', { application, body: accepted })).status).toBe(200);
  const grant = { grantType: 'password', username: email, password };
  const { accessToken: token } = (await call('POST', '/auth/tokens', { application, body: grant })).body;
  const as =
    (method: string) =>
    (path: string, options: Call = {}) =>
      call(method, path, { application, token, ...options });
  const doctor = { get: as('GET'), post: as('POST') };

  const me = await patientAt([site], { isSharing: true });
  await flagged(me);
  const ticket = await one(doctor, ofSite, me);
  expect(ticket).toMatchObject({ siteId: site.siteId });
  expect(Date.parse(ticket.dueAt)).toBeGreaterThan(Date.parse(ticket.raisedAt));
  expect(await tickets(safety, ofSafety, me)).toEqual([]);
  const path = `/crm/patients/${me.user}/urgent-tickets/${ticket.ticketId}/acknowledge`;
  expect(await doctor.post(path)).toMatchObject({ status: 200, body: { acknowledgedBy: staffId } });
  expect(await tickets(doctor, ofSite, me)).toEqual([]);
  // The one from before is clinical safety's, and stays so.
  expect(await tickets(doctor, ofSite, early)).toEqual([]);
  const before = await safety.post(`${ofSafety}/${unattended.ticketId}/acknowledge`);
  expect(before.status).toBe(200);

  expect((await chief.delete(`/iam/users/${staffId}/roles/physician`)).status).toBe(200);
  const late = await patientAt([site], { isSharing: true });
  await flagged(late);
  expect(await one(safety, ofSafety, late)).toMatchObject({ siteId: null });
});
