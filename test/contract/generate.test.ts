import { describe, expect, test } from 'vitest';
import { generated, withRoutes } from '../../bin/generate.ts';
import { roleTables } from '../../bin/roles-page.ts';
import { errors } from '../../functions/domains.ts';
import { applications, roleScopes, roles } from '../../functions/product.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import { permissionsOf } from '../written-callers.ts';

test('the page of errors has a section for each code', () => {
  const page = generated.find(({ path }) => path === 'docs/errors.md')?.expected(null) ?? '';
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code);
  expect(sections).toEqual(errors.map(({ error }) => error.code));
});

describe('the page of roles', () => {
  const [places = '', sleepcare = '', medinfo = ''] = roleTables().split(/^## What each role may do in .*$/m);

  test('says where each role exists', () => {
    expect(places).toContain('| `patient` | every environment | – |');
    expect(places).toContain('| `developer` | dev, staging | dev, staging |');
    for (const role of roles) expect(places).toContain(`| \`${role}\` |`);
  });

  test('says who holds each permission, as its domain and /iam do', () => {
    const cellsOf = (line = '') => line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    const told = { sleepcare, medinfo };
    for (const application of applications) {
      const [head = '', , ...rows] = told[application].split('\n').filter((line) => line.startsWith('|'));
      const columns = cellsOf(head).slice(4, -1);
      for (const role of ['', ...columns]) {
        const held = rows.filter((row) => cellsOf(row)[3 + (role ? columns.indexOf(role) + 1 : 0)] === 'yes');
        const names = held.map((row) => cellsOf(row)[2]?.split(' ')[0]);
        expect(names.toSorted(), `${role} of ${application}`).toEqual(
          permissionsOf({ roles: role ? [role] : [], application }),
        );
      }
      expect(columns).toEqual(rolesOf(roleScopes, application, 'dev'));
    }
  });
});

describe('the table of routes', () => {
  test('is between its markers, and the rest is unchanged', () => {
    const text = withRoutes('# Title\n<!-- routes -->\nold\n<!-- /routes -->\nend\n');
    expect(text).toMatch(/^# Title\n<!-- routes -->\n\n\| method/);
    expect(text).toMatch(/\|\n\n<!-- \/routes -->\nend\n$/);
    expect(text).toContain('| DELETE | `/users/agreements/{agreementId}/consent` |');
    expect(withRoutes(text ?? '')).toBe(text);
  });

  test('is not written if there are no markers', () => {
    expect(withRoutes('# Title\n')).toBeNull();
  });
});
