import { domains } from '../functions/domains.ts';
import { applications, environments, roleScopes, roles } from '../functions/product.ts';
import { isHeld, type Permission } from '../lib/contract/permissions.ts';
import type { Application, Environment } from '../lib/contract/register.ts';
import { rolesOf } from '../lib/contract/roles.ts';
import { table } from './markdown.ts';

/** The generated part of docs/roles.md: where each role exists, and which permissions of which domain it has. */

export type DomainPermission = { readonly domain: string; readonly permission: Permission };

/** In the order of the domains' list, and by name. */
const declared: readonly DomainPermission[] = Object.entries(domains).flatMap(([domain, { permissions = {} }]) =>
  Object.values(permissions)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((permission) => ({ domain, permission })),
);

export function roleTables(permissions: readonly DomainPermission[] = declared): string {
  const perApplication = applications.flatMap((application) => [
    `## What each role may do in \`${application}\``,
    permissionsTable(application, permissions),
  ]);
  return ['## Where each role exists', scopesTable(), ...perApplication].join('\n\n');
}

function scopesTable(): string {
  return table(
    ['role', ...applications.map((application) => `\`${application}\``)],
    roles.map((role) => [
      `\`${role}\``,
      ...applications.map((application) =>
        written(environments.filter((environment) => rolesOf(roleScopes, application, environment).includes(role))),
      ),
    ]),
  );
}

function written(found: readonly Environment[]): string {
  return found.length === environments.length ? 'every environment' : found.join(', ') || '–';
}

/** Without the permissions that nobody holds there. */
function permissionsTable(application: Application, permissions: readonly DomainPermission[]): string {
  // The environments differ in which roles exist, and not in what a role holds.
  const columns = roles.filter((role) =>
    environments.some((each) => rolesOf(roleScopes, application, each).includes(role)),
  );
  const holds = (permission: Permission, held: readonly string[]) => isHeld(permission, { roles: held, application });
  const rows = permissions.map(({ domain, permission }) => [
    domain,
    `\`${permission.name}\`${permission.metered ? ' (with a key)' : ''}`,
    ...[[], ...columns.map((role) => [role])].map((held) => (holds(permission, held) ? 'yes' : '–')),
  ]);
  const held = rows.filter((row) => row.includes('yes'));
  return table(['domain', 'permission', 'no role', ...columns.map((role) => `\`${role}\``)], held);
}
