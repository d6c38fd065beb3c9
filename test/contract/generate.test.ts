import { describe, expect, test } from 'vitest';
import { generated, withRoutes } from '../../bin/generate.ts';
import { errors } from '../../functions/domains.ts';

test('the page of errors has a section for each code', () => {
  const page = generated.find(({ path }) => path === 'docs/errors.md')?.expected(null) ?? '';
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code);
  expect(sections).toEqual(errors.map(({ error }) => error.code));
});

describe("the README's table of routes", () => {
  test('stands between its markers and leaves the rest alone', () => {
    const text = withRoutes('# Title\n<!-- routes -->\nold\n<!-- /routes -->\nend\n');
    expect(text).toMatch(/^# Title\n<!-- routes -->\n\n\| method/);
    expect(text).toMatch(/\|\n\n<!-- \/routes -->\nend\n$/);
    expect(text).toContain('| DELETE | `/users/agreements/{agreementId}/consent` |');
    expect(withRoutes(text ?? '')).toBe(text);
  });

  test('is not put where there are no markers', () => {
    expect(withRoutes('# Title\n')).toBeNull();
  });
});
