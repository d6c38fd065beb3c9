import { accepted, type PersonalRows } from '../personal-rows.ts';
import { asked, batches, redeem } from './people.ts';

export const personalRows: PersonalRows = async ({ userId, canary, call, admin, put }) => {
  const issuing = admin('POST', batches, { ...asked, count: 1 }) as Promise<{
    status: number;
    body: { codes: { code: string }[] };
  }>;
  const [first] = (await issuing).body.codes;
  await accepted(call('POST', redeem, { code: first?.code }));
  // An insurer's code, whose row says nobody's id: here it does, so that it is found.
  const ofInsurer = { programmeId: 'insomnia-basic', accessCodeId: canary, batchId: null, part: null };
  const times = {
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2026-01-02T00:00:00.000Z',
    redeemedAt: '2026-01-01T00:00:00.000Z',
  };
  await put('Entitlements', { userId, entitlementId: canary, ...ofInsurer, ...times });
  await put('IssuedAccessCodes', { batchId: canary, part: 'insurer', sealed: 'sealed', redeemedBy: userId });
};
