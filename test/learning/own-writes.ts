import { asked, batches, redeem } from '../access-codes/people.ts';
import type { OwnWrites } from '../own-writes.ts';
import { unitPath } from './people.ts';

type Calls = Parameters<OwnWrites[string]>;

async function entitled({ call }: Calls[0], admin: Calls[1]): Promise<void> {
  const { body } = await admin('POST', batches, { ...asked, count: 1 });
  const [first] = body.codes as unknown as { code: string }[];
  await call('POST', redeem, { code: first?.code });
}

export const ownWrites: OwnWrites = {
  putUnitProgress: async (person, admin) => {
    await entitled(person, admin);
    return () => person.call('PUT', `${unitPath('what-sleep-does')}/progress`, { position: 10, percent: 50 });
  },
  completeUnit: async (person, admin) => {
    await entitled(person, admin);
    return () => person.call('POST', `${unitPath('what-sleep-does')}/complete`);
  },
};
