import { type About, consentNeeded } from './access.ts';

/** What the OpenAPI document says of a route that is about another person. */
export function aboutLines(about: About | undefined): string[] {
  if (!about) return [];
  const isLogged =
    'Each person sees this access in `GET /users/me/access-log`. If the access cannot be logged, the answer is 503.';
  return [`${groundOf(about)} ${isLogged}`];
}

function groundOf(about: About): string {
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

function groundOfPerson(about: Extract<About, { param: string; relation: 'care' }>): string {
  const consent = consentNeeded(about);
  const needed = consent === null ? '' : `, and agrees to \`${consent}\` (else 403)`;
  const exempt = about.exempt ? ` Roles that need no relation: ${about.exempt.roles.join(', ')}.` : '';
  return `The patient is with a site that the caller works at (else 404)${needed}.${exempt}`;
}

function groundOfRows({ consent, withoutConsent }: Extract<About, { each: string; relation: 'care' }>): string {
  const left = withoutConsent.map((name) => `\`${name}\``).join(', ');
  return (
    `The patients of the caller's sites. Of those who do not agree to \`${consent}\` only ${left} are shown; all else is ` +
    'null.'
  );
}
