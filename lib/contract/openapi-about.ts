import { type About, consentNeeded } from './access.ts';

/** What the OpenAPI document says of a route that is about another person. */
export function aboutLines(about: About | undefined): string[] {
  if (!about) return [];
  const isLogged =
    'Each person sees the look in `GET /users/me/access-log`; where it cannot be logged, the answer is 503.';
  return [`${groundOf(about)} ${isLogged}`];
}

function groundOf(about: About): string {
  if (about.relation === 'safety') return 'The caller needs the role `clinical-safety`.';
  if (about.relation === 'support') return 'Each person opened a ticket.';
  if (!about.relation) return `The caller needs no relation to the person (${about.exception}).`;
  const consent = consentNeeded(about);
  if (about.each !== undefined) {
    const left = about.withoutConsent.map((name) => `\`${name}\``).join(', ');
    return `The patients of the caller's sites. Of those who do not agree to \`${consent}\` only ${left} are shown; the rest is null.`;
  }
  const exempt = about.exempt ? ` Roles that need no relation: ${about.exempt.roles.join(', ')}.` : '';
  const needed = consent ? `, and agrees to \`${consent}\` (else 403)` : '';
  return `The patient is with a site that the caller works at (else 404)${needed}.${exempt}`;
}
