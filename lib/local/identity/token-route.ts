import type { SeededUser } from '../../contract/product.ts';
import { type Issuer, UnknownName } from './issuer.ts';

export type PlainAnswer = { readonly status: number; readonly text: string };

/**
 * `GET /_local/token?user=U&roles=patient,…&application=sleepcare[&client=…][&expiresIn=seconds][&signedInAgo=seconds]`: an access token as
 * plain text. A seeded user needs neither roles nor application.
 */
export async function answerToken(
  query: URLSearchParams,
  issuer: Issuer,
  users: readonly SeededUser[],
): Promise<PlainAnswer> {
  const user = query.get('user');
  const known = ['user', 'roles', 'application', 'client', 'expiresIn', 'signedInAgo'];
  const stranger = [...query.keys()].find((name) => !known.includes(name));
  if (stranger) return refused(`There is no parameter ${JSON.stringify(stranger)}; known: ${known.join(', ')}.`);
  if (!user) return refused('The parameter user is missing: ?user=patient@example.com');
  const seeded = users.find(
    ({ name, application }) => name === user && application === (query.get('application') ?? application),
  );
  const application = query.get('application') ?? seeded?.application;
  if (!application) {
    return refused(`The parameter application is missing; one of ${issuer.applications().join(', ')}.`);
  }
  const expiresIn = query.get('expiresIn') ?? undefined;
  if (expiresIn !== undefined && !/^-?\d{1,7}$/.test(expiresIn)) {
    return refused(`expiresIn must be a whole number of seconds, not ${JSON.stringify(expiresIn)}.`);
  }
  const signedInAgo = query.get('signedInAgo') ?? undefined;
  if (signedInAgo !== undefined && !/^\d{1,7}$/.test(signedInAgo)) {
    return refused(`signedInAgo must be a whole number of seconds, not ${JSON.stringify(signedInAgo)}.`);
  }
  const roles = query.get('roles')?.split(',').filter(Boolean) ?? seeded?.roles ?? [];
  try {
    const token = await issuer.token({
      application,
      user,
      roles,
      client: query.get('client') ?? undefined,
      expiresIn: expiresIn === undefined ? undefined : Number(expiresIn),
      signedInAgo: signedInAgo === undefined ? undefined : Number(signedInAgo),
    });
    return { status: 200, text: token };
  } catch (error) {
    if (error instanceof UnknownName) return refused(error.message);
    throw error;
  }
}

function refused(text: string): PlainAnswer {
  return { status: 400, text };
}
