import type { User } from '../../users/rules.ts';
import { idSystems, type Resource } from './resource.ts';

/** @param user null for somebody whose app has not read the profile yet: what is known is the id */
export function fhirPatient(userId: string, user: Pick<User, 'email' | 'locale'> | null): Resource {
  const { email = null, locale = null } = user ?? {};
  const language = { coding: [{ system: 'urn:ietf:bcp:47', code: locale }] };
  return {
    resourceType: 'Patient',
    id: userId,
    identifier: [{ system: idSystems.user, value: userId }],
    active: true,
    ...(email !== null && { telecom: [{ system: 'email', value: email }] }),
    ...(locale !== null && { communication: [{ language, preferred: true }] }),
  };
}
