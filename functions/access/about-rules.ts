import { Accounts } from '../../lib/contract/accounts.ts';
import type { AboutRules } from '../../lib/contract/declarations.ts';
import { append, batch, get, read, type TableUse } from '../../lib/contract/uses.ts';
import { type AboutPerson, AccessLog, CareRelations, consentNeeded, Staff } from './about.ts';
import { ConsentRecords, ConsentStates } from './consent-states.ts';

/** What follows from a route's `about`, for the stacks and the OpenAPI document; no function has it. */
export const aboutRules: AboutRules = { usesOf, linesOf };

function usesOf(about: AboutPerson): TableUse[] {
  const asked = (): TableUse[] => {
    if (about.relation !== 'care') return [];
    // Both are read by their keys once more where they differ.
    const consent = [get(ConsentStates), read(ConsentRecords)];
    if (about.each !== undefined) return [batch(ConsentStates), ...consent, batch(Accounts)];
    return [read(CareRelations), get(Accounts), ...(about.consent === undefined ? [] : consent)];
  };
  return [read(Staff), append(AccessLog), ...asked()];
}

function linesOf(about: AboutPerson): string[] {
  const isLogged =
    'Each person sees this access in `GET /users/me/access-log`. If the access cannot be logged, the answer is 503.';
  return [`${groundOf(about)} ${isLogged}`];
}

function groundOf(about: AboutPerson): string {
  switch (about.relation) {
    case 'safety':
      return `The caller needs the role \`${about.role}\`.`;
    case 'support':
      return 'Each person opened a ticket.';
    case 'care':
      return about.each === undefined ? groundOfPerson(about) : groundOfRows(about);
    default:
      return `The caller needs no relation to the person (${about.exception}).`;
  }
}

function groundOfPerson(about: Extract<AboutPerson, { param: string; relation: 'care' }>): string {
  const consent = consentNeeded(about);
  const needed = consent === null ? '' : `, and agrees to \`${consent}\` (else 403)`;
  const exempt = about.exempt ? ` Roles that need no relation: ${about.exempt.roles.join(', ')}.` : '';
  return `The patient is with a site that the caller works at (else 404)${needed}.${exempt}`;
}

function groundOfRows({ consent, withoutConsent }: Extract<AboutPerson, { each: string; relation: 'care' }>): string {
  const left = withoutConsent.map((name) => `\`${name}\``).join(', ');
  return (
    `The patients of the caller's sites. Of those who do not agree to \`${consent}\` only ${left} are shown; all else is ` +
    'null.'
  );
}
