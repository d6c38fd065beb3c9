import { expect } from 'vitest';
import {
  type Admin,
  admin,
  agreeing,
  newSite,
  ownSite,
  type Patient,
  type Physician,
  patientAt,
  patientPath,
  physicianAt,
  revoking,
  type Site,
  staffPath,
} from '../crm-sites/people.ts';

/** The ways in which a physician's access to a patient ends, raced against the physician's requests. */

type People = { chief: Admin; site: Site; doctor: Physician; patient: Patient };

type Ending = {
  readonly end: (people: People) => Promise<Answered>;
  readonly again: (people: People) => Promise<Answered>;
  readonly refused: number;
};

const endings: Readonly<Record<string, Ending>> = {
  revocation: {
    end: ({ patient }) => patient.delete(revoking),
    again: ({ patient }) => patient.post(agreeing),
    refused: 403,
  },
  leaving: {
    end: ({ patient, site }) => patient.delete(ownSite(site)),
    again: ({ patient, site }) => patient.post('/users/me/sites', { body: { code: site.code } }),
    refused: 404,
  },
  'removal of the staff': {
    end: ({ chief, site, doctor }) => chief.delete(staffPath(site.siteId, doctor.user)),
    again: ({ chief, site, doctor }) =>
      chief.put(staffPath(site.siteId, doctor.user), { body: { name: 'Dr. Ada Example' } }),
    refused: 404,
  },
};

type Answered = Awaited<ReturnType<Physician['get']>>;

/**
 * On a machine that is too busy DynamoDB's answer comes too late, three times: 503, which shows nothing and says to ask again.
 *
 * @param unsure counts each: whether its look was written is not known
 */
async function answered<A extends Pick<Answered, 'status' | 'body' | 'headers'>>(
  send: () => Promise<A>,
  unsure: () => void = () => undefined,
): Promise<A> {
  const answer = await send();
  if (answer.status !== 503) return answer;
  expect([answer.body.code, answer.headers.get('retry-after')]).toEqual(['UNAVAILABLE', expect.any(String)]);
  unsure();
  return answered(send, unsure);
}

export const endingNames = Object.keys(endings);

/**
 * So many times: requests for the page, the timeline and the list run without a pause, and the access ends among them. What
 * started after the ending was answered shows nothing; what was shown is in the patient's log.
 */
export async function raceEnding(name: string, rounds: number): Promise<void> {
  const { end, again, refused } = endings[name] as Ending;
  const chief = await admin();
  const site = await newSite(chief);
  const [doctor, patient] = [await physicianAt(chief, [site]), await patientAt([site], { isSharing: true })];
  const people = { chief, site, doctor, patient };
  let shown = 0;
  let refusals = 0;
  let unsure = 0;
  const asked = (path: string) =>
    answered(
      () => doctor.get(path),
      () => {
        unsure += 1;
      },
    );
  for (let round = 0; round < rounds; round += 1) {
    let isEnded = false;
    let isOver = false;
    const ask = async (read: () => Promise<boolean>) => {
      let after = 0;
      // At least one starts after the ending.
      while (after === 0) {
        const startedAfter = isEnded;
        const hasData = await read();
        if (hasData) shown += 1;
        if (startedAfter) {
          after += 1;
          refusals += 1;
          if (hasData) throw new Error(`round ${round}: data after the ${name} was answered`);
        }
        if (isOver) return;
      }
    };
    const page = async () => {
      const { status } = await asked(patientPath(patient));
      if (status !== 200 && status !== refused) throw new Error(`round ${round}: ${status}`);
      return status === 200;
    };
    const timeline = async () => {
      const { status } = await asked(`${patientPath(patient)}/timeline`);
      if (status !== 200 && status !== refused) throw new Error(`round ${round}: ${status}`);
      return status === 200;
    };
    const list = async () => {
      const { status, body } = await asked('/crm/patients');
      if (status !== 200) throw new Error(`round ${round}: ${status}`);
      return body.items.some(({ sharedSince }: { sharedSince: string | null }) => sharedSince !== null);
    };
    const ending = async () => {
      expect((await answered(() => end(people))).status).toBe(200);
      isEnded = true;
    };
    const asking = [page, timeline, list].map(ask);
    try {
      await Promise.all([ending(), ...asking]);
    } finally {
      isOver = true;
    }
    expect((await answered(() => again(people))).status).toBe(200);
  }
  expect(refusals).toBe(3 * rounds);
  await expectLogged(patient, shown, unsure);
}

/** One look for each answer that showed data, and no other; of the list without it there are more, without a consent. */
async function expectLogged(patient: Patient, shown: number, unsure: number): Promise<void> {
  let logged = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const { body }: Answered = await answered(() => patient.get(`/users/me/access-log?limit=100${more}`));
    logged += body.items.filter(({ consent }: { consent: object | null }) => consent !== null).length;
    cursor = body.metadata.nextCursor;
  }
  expect(logged).toBeGreaterThanOrEqual(shown);
  expect(logged).toBeLessThanOrEqual(shown + unsure);
}
