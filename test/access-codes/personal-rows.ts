import { accepted, type PersonalRows } from '../personal-rows.ts';
import { asked, batches, redeem } from './people.ts';

export const personalRows: PersonalRows = async ({ call, admin }) => {
  const issuing = admin('POST', batches, { ...asked, count: 1 }) as Promise<{
    status: number;
    body: { codes: { code: string }[] };
  }>;
  const [first] = (await issuing).body.codes;
  await accepted(call('POST', redeem, { code: first?.code }));
};
