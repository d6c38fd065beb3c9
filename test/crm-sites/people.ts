import { randomUUID } from 'node:crypto';
import { client } from '../api.ts';

/** Sites of a test's own, with people in them, on the shared stage. */

export type Site = { siteId: string; code: string; name: string };

export async function admin() {
  return client({ application: 'medinfo', roles: 'admin' });
}

export type Admin = Awaited<ReturnType<typeof admin>>;

export async function newSite(by: Admin, name = 'Sleep clinic Example'): Promise<Site> {
  const { status, body } = await by.post('/crm/sites', { body: { name, timezone: 'Europe/Berlin' } });
  if (status !== 201) throw new Error(`no site: ${JSON.stringify(body)}`);
  return body;
}

/** A physician who has signed in once. */
export async function physician(user: string = randomUUID(), roles = 'physician') {
  const signedIn = await client({ user, application: 'medinfo', roles });
  await signedIn.get('/users/me');
  return signedIn;
}

/** A physician who works at these sites. */
export async function physicianAt(by: Admin, sites: readonly Site[], name = 'Dr. Ada Example') {
  const someone = await physician();
  for (const { siteId } of sites) {
    const { status, body } = await by.put(staffPath(siteId, someone.user), { body: { name } });
    if (status !== 200) throw new Error(`no staff: ${JSON.stringify(body)}`);
  }
  return someone;
}

export type Physician = Awaited<ReturnType<typeof physician>>;

/** A patient who has started the app, and is with these sites. */
export async function patientAt(sites: readonly Site[], { isSharing = false } = {}) {
  const signedIn = await client();
  await signedIn.get('/users/me');
  for (const site of sites) {
    const { status, body } = await signedIn.post('/users/me/sites', { body: { code: site.code } });
    if (status !== 200) throw new Error(`not with the site: ${JSON.stringify(body)}`);
  }
  if (isSharing) await signedIn.post(agreeing);
  return signedIn;
}

export type Patient = Awaited<ReturnType<typeof patientAt>>;

export const agreeing = '/agreements/versions/data-sharing-1.0/agree';
export const revoking = '/users/agreements/data-sharing/consent';

export const ownSites = '/users/me/sites';
export const ownSite = ({ siteId }: { siteId: string }) => `${ownSites}/${siteId}`;
export const staffPath = (siteId: string, userId: string) => `/crm/sites/${siteId}/staff/${userId}`;
export const patientPath = ({ user }: { user: string }) => `/crm/patients/${user}`;
