import { admin, newCodeOf, type Person, patient, redeem } from '../access-codes/people.ts';

/** A patient whose programme has just begun. */
export async function inProgramme(wish: object = {}): Promise<Person> {
  const [me, staff] = await Promise.all([patient(), admin()]);
  const { status } = await me.post(redeem, { body: { code: await newCodeOf(staff, wish) } });
  if (status !== 200) throw new Error(`no entitlement: ${status}`);
  return me;
}

export const unitPath = (name: string) => `/learning/units/sleep-basics.${name}`;

/** All that is right of the seed's quiz. */
export const rightAnswers = [
  { questionId: 'waking', values: ['normal'] },
  { questionId: 'pressure', values: ['lie-in', 'nap'] },
  { questionId: 'keeps-going', values: ['habits'] },
];

export const texts = ['what-sleep-does', 'two-drives', 'vicious-circle'];
