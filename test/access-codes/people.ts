import { randomUUID } from 'node:crypto';
import { client } from '../api.ts';

export type Person = Awaited<ReturnType<typeof patient>>;

/** Somebody new, so that nobody else's tries and entitlements are in the way. */
export async function patient() {
  return client({ user: randomUUID() });
}

export function admin() {
  return client({ application: 'medinfo', roles: 'admin' });
}

export const batches = '/access-codes/batches';
export const redeem = '/access-codes/redeem';
export const validate = '/access-codes/validate';
export const entitlements = '/users/me/entitlements';

export const asked = {
  count: 2,
  kind: 'clinic',
  programmeId: 'insomnia-basic',
  grantsDays: 90,
  redeemBy: '2098-12-31T23:59:59Z',
} as const;

export type Issued = { batchId: string; codes: { accessCodeId: string; code: string }[] };

type Staff = Awaited<ReturnType<typeof admin>>;

/** A new batch. @throws an Error where it was refused */
export async function issued(staff: Staff, wish: object = {}): Promise<Issued> {
  const { status, body } = await staff.post(batches, { body: { ...asked, ...wish } });
  if (status !== 201) throw new Error(`no batch: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The text of one new code. */
export async function newCodeOf(staff: Staff, wish: object = {}): Promise<string> {
  const [first] = (await issued(staff, { count: 1, ...wish })).codes;
  return first?.code ?? '';
}
