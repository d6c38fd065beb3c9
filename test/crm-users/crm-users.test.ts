import { beforeAll, describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { type Admin, admin, newSite, type Physician, patientAt, physician, physicianAt } from '../crm-sites/people.ts';

const chief = await admin();

const path = '/crm/users';
const pathOf = ({ user }: { user: string }) => `${path}/${user}`;
/** A name that nobody else of the shared stage begins with. */
const unlike = () => `Zz${Math.random().toString(36).slice(2, 12)}`;
const change = (by: Pick<Admin, 'patch'>, whom: { user: string }, body: object, tag: string) =>
  by.patch(pathOf(whom), { body, headers: { 'if-match': tag } });
const tagFor = async (by: Pick<Admin, 'get'>, whom: { user: string }) =>
  (await by.get(pathOf(whom))).headers.get('etag') ?? '';

describe('GET /crm/users', () => {
  test('200: by the beginning of the name, each with where they work; whoever works nowhere any more stays', async () => {
    const name = unlike();
    const [here, there] = [await newSite(chief), await newSite(chief)];
    const one = await physicianAt(chief, [here, there], `${name} Müller`);
    const other = await physicianAt(chief, [here], `${name} Muellerin`);
    await chief.delete(`/crm/sites/${here.siteId}/staff/${other.user}`);
    const { status, body } = await one.get(`${path}?name=${name}%20MULL`);
    const entry = { title: null, specialties: [], roles: null, status: 'active' };
    expect([status, body.items]).toEqual([
      200,
      [
        { userId: one.user, name: `${name} Müller`, siteIds: [here.siteId, there.siteId].toSorted(), ...entry },
        { userId: other.user, name: `${name} Muellerin`, siteIds: [], ...entry },
      ],
    ]);
    const first = (await one.get(`${path}?name=${name}&limit=1`)).body;
    const cursor = encodeURIComponent(first.metadata.nextCursor);
    const second = (await one.get(`${path}?name=${name}&limit=1&cursor=${cursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(body.items);
    const ofAnother = await one.get(`${path}?name=0&limit=1&cursor=${cursor}`);
    expect([ofAnother.status, ofAnother.body.items]).toEqual([200, []]);
  });

  test('403: a researcher, and a patient', async () => {
    const researcher = await physician(undefined, 'researcher');
    expect((await researcher.get(path)).status).toBe(403);
  });
});

describe('the own entry', () => {
  let doctor: Physician;
  beforeAll(async () => {
    doctor = await physician();
  });

  test('200: of somebody of whom nothing is said yet, and its first change', async () => {
    const read = await doctor.get(pathOf(doctor));
    expect(read).toMatchObject({ status: 200, body: { userId: doctor.user, name: null, title: null, siteIds: [] } });
    const said = { title: 'Dr. med.', specialties: ['sleep medicine', 'neurology'] };
    const changed = await change(doctor, doctor, said, read.headers.get('etag') ?? '');
    expect(changed).toMatchObject({ status: 200, body: { ...said, name: null } });
    expect((await doctor.get(pathOf(doctor))).body).toEqual(changed.body);
    // Without a name nobody finds it, and an administrator sees it.
    expect((await chief.get(pathOf(doctor))).body).toEqual(changed.body);
    const { items } = (await chief.get(`/admin/audit-events?subject=crm-user/${doctor.user}`)).body;
    expect(items).toMatchObject([{ action: 'crm-user.changed', after: { fields: ['title', 'specialties'] } }]);
    expect(JSON.stringify(items)).not.toContain('neurology');
  });

  test('403: a name, which patients see in their log', async () => {
    const tag = await tagFor(doctor, doctor);
    const refused = await change(doctor, doctor, { name: 'Prof. Somebody Else' }, tag);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await doctor.get(pathOf(doctor))).body.name).toBeNull();
  });

  test('412 and 428', async () => {
    const tag = await tagFor(doctor, doctor);
    expect((await change(doctor, doctor, { title: 'PD' }, tag)).status).toBe(200);
    expect((await change(doctor, doctor, { title: 'Prof.' }, tag)).status).toBe(412);
    // The answer was lost, and the same change comes again.
    const again = await change(doctor, doctor, { title: 'PD' }, tag);
    expect([again.status, again.headers.get('etag')]).toEqual([200, await tagFor(doctor, doctor)]);
    expect((await doctor.patch(pathOf(doctor), { body: { title: 'Prof.' } })).status).toBe(428);
  });

  test.each<[string, object]>([
    ['a blank title', { title: ' ' }],
    ['a title of two lines', { title: 'a\nb' }],
    ['21 specialties', { specialties: Array.from({ length: 21 }, (_, index) => `s${index}`) }],
  ])('400: %s', async (_case, body) => {
    const tag = await tagFor(doctor, doctor);
    expect(await change(doctor, doctor, body, tag)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe("another's entry", () => {
  test('200: an administrator gives the name that patients see from then on', async () => {
    const site = await newSite(chief);
    const [doctor, patient] = [
      await physicianAt(chief, [site], 'Dr. Before'),
      await patientAt([site], { isSharing: true }),
    ];
    const name = `${unlike()} After`;
    const changed = await change(chief, doctor, { name }, await tagFor(chief, doctor));
    expect(changed).toMatchObject({ status: 200, body: { name, siteIds: [site.siteId] } });
    await doctor.get(`/crm/patients/${patient.user}`);
    expect((await ownLooks(patient))[0]).toMatchObject({ name });
    expect((await doctor.get(`${path}?name=${name.slice(0, 12)}`)).body.items).toMatchObject([{ userId: doctor.user }]);
  });

  test('404: for callers who are not administrators, as for a person who does not exist; no directory has patients', async () => {
    const site = await newSite(chief);
    const [doctor, colleague] = [await physicianAt(chief, [site]), await physicianAt(chief, [site])];
    const patient = await patientAt([site]);
    for (const [by, whom] of [
      [doctor, colleague],
      [doctor, patient],
      [chief, patient],
      [chief, { user: 'none' }],
    ] as const) {
      expect(await by.get(pathOf(whom))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
      expect(await change(by, whom, { title: 'x' }, '"1"')).toMatchObject({ status: 404 });
    }
  });

  test('404: whose account is closed', async () => {
    const site = await newSite(chief);
    const doctor = await physicianAt(chief, [site]);
    const tag = await tagFor(chief, doctor);
    expect((await doctor.delete('/users/me')).status).toBe(200);
    expect(await change(chief, doctor, { title: 'x' }, tag)).toMatchObject({ status: 404 });
  });
});
