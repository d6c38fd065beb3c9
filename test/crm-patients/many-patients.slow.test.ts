import { expect, test } from 'vitest';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { admin, newSite, ownSite, patientAt, physicianAt } from '../crm-sites/people.ts';

/** The list of two sites with 250 patients, page by page, while others come and go. */

test('whoever stays is listed once at each site, and nobody twice', async () => {
  const chief = await admin();
  const [one, other] = await Promise.all([newSite(chief), newSite(chief)]);
  const doctor = await physicianAt(chief, [one, other]);
  const numbers = Array.from({ length: 250 }, (_, index) => index);
  const stay = await mapWithConcurrency(numbers, 8, async (index) => {
    const sites = index % 5 === 0 ? [one, other] : index % 2 === 0 ? [one] : [other];
    const { user } = await patientAt(sites, { isSharing: index % 3 === 0 });
    return { sites, user, isSharing: index % 3 === 0 };
  });
  const restless = await mapWithConcurrency(numbers.slice(0, 8), 8, () => patientAt([one]));

  let isListed = false;
  const comeAndGo = async (patient: (typeof restless)[number]) => {
    while (!isListed) {
      expect((await patient.delete(ownSite(one))).status).toBe(200);
      expect((await patient.post('/users/me/sites', { body: { code: one.code } })).status).toBe(200);
    }
  };
  const list = async () => {
    const found: { userId: string; siteId: string; sharedSince: string | null }[] = [];
    try {
      let cursor: string | null = '';
      while (cursor !== null) {
        const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
        const { status, body } = await doctor.get(`/crm/patients?limit=17${more}`);
        expect(status).toBe(200);
        found.push(...body.items);
        cursor = body.metadata.nextCursor;
      }
    } finally {
      isListed = true;
    }
    return found;
  };
  const [lines] = await Promise.all([list(), ...restless.map(comeAndGo)]);

  const keys = lines.map(({ siteId, userId }) => `${siteId} ${userId}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(keys.toSorted());
  const expected = stay.flatMap(({ sites, user }) => sites.map(({ siteId }) => `${siteId} ${user}`));
  expect(expected.filter((key) => !keys.includes(key))).toEqual([]);
  const sharing = new Set<string>(stay.filter(({ isSharing }) => isSharing).map(({ user }) => user));
  for (const { userId, sharedSince } of lines) expect(sharedSince !== null, userId).toBe(sharing.has(userId));
});
