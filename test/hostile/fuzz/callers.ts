import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { permissions } from '../../../functions/domains.ts';
import { applications, roleScopes } from '../../../functions/product.ts';
import { namesHeld } from '../../../lib/contract/permissions.ts';
import type { Application } from '../../../lib/contract/register.ts';
import { rolesOf } from '../../../lib/contract/roles.ts';
import type { RunningStage } from '../../../lib/local/stage.ts';
import type { Operation } from './document.ts';

/** Who sends a request: of each role two people, in both applications, and those who have no good token. */

export type Caller = { readonly kind: 'none' | 'broken' | 'foreign' | 'expired' | 'signed-in'; readonly index: number };

export type Cast = Awaited<ReturnType<typeof signInCast>>;

/** The routes for tools accept only the first: the others' app has no key of the usage plan. */
const clients = ['developer-tools', 'mobile-app'] as const;

type Person = { readonly role: string; readonly token: string; readonly signInAgain: () => Promise<string> };

export async function signInCast({ issuer }: { issuer: Pick<RunningStage['issuer'], 'token'> }) {
  const people = {} as Record<Application, Person[]>;
  const expired = {} as Record<Application, string>;
  for (const application of applications) {
    const roles = ['', ...rolesOf(roleScopes, application, 'dev')];
    people[application] = await Promise.all(
      roles.flatMap((role) =>
        clients.map(async (client) => {
          const user = randomUUID();
          const signInAgain = () =>
            issuer.token({
              application,
              user,
              roles: [role].filter(Boolean),
              client: role === 'integration' ? role : client,
              expiresIn: 86_400,
            });
          return { role, token: await signInAgain(), signInAgain };
        }),
      ),
    );
    expired[application] = await issuer.token({ application, user: 'late', roles: [], expiresIn: -60 });
  }

  function tokenOf(application: Application, { kind, index }: Caller): string | undefined {
    const there = people[application];
    const elsewhere = people[application === 'sleepcare' ? 'medinfo' : 'sleepcare'];
    const token = (kind === 'foreign' ? elsewhere : there)[index]?.token ?? elsewhere[0]?.token;
    if (kind === 'none') return undefined;
    if (kind === 'expired') return expired[application];
    return kind === 'broken' ? `${token?.slice(0, -8)}AAAAAAAA` : token;
  }

  /** Whose session has ended comes back in a new one. Other tokens stay as they are. */
  async function renew(application: Application, token: string | undefined): Promise<string | undefined> {
    const index = people[application].findIndex((person) => person.token === token);
    const person = people[application][index];
    if (!person) return token;
    const renewed = await person.signInAgain();
    people[application][index] = { ...person, token: renewed };
    return renewed;
  }

  async function renewAll(application: Application): Promise<void> {
    for (const { token } of people[application]) await renew(application, token);
  }

  /** Mostly callers that may call the operation. */
  function callersOf(operation: Operation, application: Application): fc.Arbitrary<Caller> {
    const { permission } = operation;
    const there = people[application].map(({ role }, index) => ({ role, index }));
    const entitled = there.filter(
      ({ role }) =>
        permission === 'public' || namesHeld(permissions, { roles: [role], application }).includes(permission),
    );
    const signedIn = (those: typeof there) =>
      fc.constantFrom(...those).map(({ index }): Caller => ({ kind: 'signed-in', index }));
    return fc.oneof(
      { weight: 8, arbitrary: signedIn(entitled.length > 0 ? entitled : there) },
      { weight: 1, arbitrary: signedIn(there) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom('none', 'broken', 'foreign', 'expired'), index: fc.nat(5) }),
      },
    );
  }

  return { people, tokenOf, renew, renewAll, callersOf };
}
